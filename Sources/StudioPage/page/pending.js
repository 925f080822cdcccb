// A movement by keys is one change, which ends a moment after the last key.

let waiting = null;

// Ends the movement now.
export function settle() {
  const end = waiting;
  waiting = null;
  clearTimeout(end?.timer);
  return end?.commit();
}

// Continues the movement of a control; that of another control ends.
export function wait(control, commit) {
  if (waiting?.control !== control) settle();
  clearTimeout(waiting?.timer);
  waiting = { control, commit, timer: setTimeout(settle, 500) };
}

export const isMoving = (control) => waiting?.control === control;
