// The focus of the keyboard.

// The field that has a text for which no change was sent yet.
let typedInto = null;
// The value of the field with the focus before something was typed.
let before = "";
addEventListener("focusin", (event) => { before = event.target.value; }, true);
addEventListener("input", (event) => { typedInto = event.target; }, true);
addEventListener("change", (event) => { typedInto = null; before = event.target.value; }, true);

// True if a field has a text for which no change was sent yet.
export const isTypedInto = (field) => field === typedInto && field.value !== before;

// The name of a control, which stays the same when its label changes with its state.
const nameOf = (control) => control.dataset.control || control.getAttribute("aria-label") || control.id || control.textContent;

// Remembers which control has the focus, by its label, and gives it back after a repaint, with what was typed into it.
export function focusIn(box) {
  const active = document.activeElement;
  if (!box.contains(active)) return () => {};
  const name = nameOf(active);
  const isTyped = active === typedInto && active.matches("input[type=number], input[type=text]");
  return () => {
    const next = [...box.querySelectorAll("button, input, select, [tabindex]")].find((other) => nameOf(other) === name);
    next?.focus();
    if (next && isTyped) resume(next, active.value);
  };
}

// Continues a text that was typed into the field before this one. A browser sends no change of a text that a script
// has set, so this does.
function resume(field, text) {
  field.value = text;
  typedInto = field;
  const leave = () => field.dispatchEvent(new Event("change"));
  const press = (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    leave();
  };
  field.addEventListener("blur", leave);
  field.addEventListener("keydown", press);
  field.addEventListener("change", () => {
    field.removeEventListener("blur", leave);
    field.removeEventListener("keydown", press);
  }, { once: true });
}
