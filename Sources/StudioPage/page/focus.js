// The focus of the keyboard.

// Remembers which control has the focus, by its label, and gives it back after a repaint.
export function focusIn(box) {
  const active = document.activeElement;
  if (!box.contains(active)) return () => {};
  const name = active.getAttribute("aria-label") || active.id || active.textContent;
  return () => {
    [...box.querySelectorAll("button, input, select, [tabindex]")].find((other) =>
      (other.getAttribute("aria-label") || other.id || other.textContent) === name)?.focus();
  };
}
