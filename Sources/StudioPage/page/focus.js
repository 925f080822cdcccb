// The focus of the keyboard.

// True while the controls of a box are replaced. The browser then sends the events of a user who leaves a field.
let isRefilling = false;
for (const kind of ["blur", "change"]) {
  addEventListener(kind, (event) => { if (isRefilling) event.stopImmediatePropagation(); }, true);
}

// The field that has a text for which no change was sent yet.
let typedInto = null;
// The value of the field with the focus before something was typed.
let before = "";
addEventListener("focusin", (event) => { before = event.target.value; }, true);
addEventListener("input", (event) => { typedInto = event.target; }, true);
addEventListener("change", (event) => { typedInto = null; before = event.target.value; }, true);

// True if a field has a text for which no change was sent yet.
export const isTypedInto = (field) => field === typedInto && field.value !== before;

// Ends what is typed into the field with the focus, so that it is sent. Returns a function that gives the focus back, to
// the control of the same name if there is a new one.
export function endTyping() {
  const field = document.activeElement;
  if (!isTypedInto(field)) return () => {};
  const box = field.closest("#settings, #step-list");
  field.blur();
  return () => {
    if (document.activeElement !== document.body) return;
    (field.isConnected ? field : box && controlIn(box, nameOf(field)))?.focus();
  };
}

export const controls = "button, input, select, summary, [tabindex]";
export const controlIn = (box, name) => [...box.querySelectorAll(controls)].find((control) => nameOf(control) === name);

// The name of a control, which stays the same when its label changes with its state.
export const nameOf = (control) => control.dataset.control || control.getAttribute("aria-label") || control.id || control.textContent;

// Replaces what is in a box. The control with the focus is found again by its label; if the box is about the same as
// before, with what was typed into it, or with its whole text selected.
export function refill(box, parts, isSame = true) {
  const active = box.contains(document.activeElement) ? document.activeElement : null;
  const isText = isSame && (active?.matches("input[type=text]") ?? false);
  const isTyped = isText && active === typedInto;
  const isSelected = isText && active.value !== "" && String(getSelection()) === active.value;
  isRefilling = isSame;
  try { box.replaceChildren(...parts); } finally { isRefilling = false; }
  if (!active) return;
  const next = controlIn(box, nameOf(active));
  next?.focus();
  if (next && isTyped) resume(next, active.value);
  else if (isSelected) next?.select();
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

// The label of the handle over the photo that had the focus when another photo was opened. The handle of this label gets
// the focus when handles are drawn next, unless something else gets it before.
let awaited = null;
for (const kind of ["focusin", "pointerdown"]) addEventListener(kind, () => { awaited = null; }, true);
export const awaitedHandle = () => (document.activeElement === document.body ? awaited : null);
export function awaitHandle() {
  const active = document.activeElement;
  if (active.closest("#overlay")) awaited = active.getAttribute("aria-label");
}
