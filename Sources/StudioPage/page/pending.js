// A movement by keys is one change, which ends a moment after the last key.

let waiting = null;
// What is called when no movement is under way, and its change is made.
let rested = () => {};
export const whenRested = (action) => { rested = action; };

// Ends the movement now.
export function settle() {
  const end = waiting;
  waiting = null;
  if (!end) return undefined;
  clearTimeout(end.timer);
  const made = end.commit();
  Promise.resolve(made).finally(() => { if (!waiting) rested(); });
  return made;
}

// Continues the movement of a control; that of another control ends.
export function wait(control, commit) {
  if (waiting?.control !== control) settle();
  clearTimeout(waiting?.timer);
  waiting = { control, commit, timer: setTimeout(settle, 500) };
}

// Cancels the movement; nothing is changed.
export function forget() {
  clearTimeout(waiting?.timer);
  waiting = null;
}

// True while a pointer moves a control or a handle. Keys have no effect then, because they could change what it moves.
let held = false;
export const isHeld = () => held;
const movable = "#settings :is(input[type=range], label, .curve, .curve *), #overlay, #overlay *, #divider";
addEventListener("pointerdown", ({ target }) => { held = target.matches?.(movable) ?? false; }, true);
for (const end of ["pointerup", "pointercancel", "blur"]) {
  addEventListener(end, ({ type, target }) => { if (type !== "blur" || target === window) held = false; }, true);
}

export const isMoving = (control) => waiting?.control === control;
export const isAnyMoving = () => waiting !== null;
