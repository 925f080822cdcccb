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

export const isMoving = (control) => waiting?.control === control;
export const isAnyMoving = () => waiting !== null;
