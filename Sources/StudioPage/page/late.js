// Keys and clicks that come while the page still shows the state before: while a photo opens, or while a change is undone.
// They wait, and then act in their order on what is shown.

import { awaitedHandle, controlIn, controls, nameOf } from "/focus.js";
import { at, when } from "/state.js";

// Each with `find`, which returns what it is for, and `act`.
let waiting = [];
// The number of states that are on their way.
let coming = 0;
let isReplaying = false;
// How long keys wait for a handle, in milliseconds: its place is known after the picture, and a picture can take long.
const patience = { afterPicture: 1000, inAll: 10_000 };
let [end, last, again] = [0, 0, null];

// True while a handle that is not there can still be drawn.
function canHandleCome() {
  const now = performance.now();
  if (at("picture").ariaBusy === "true") end = Math.min(last, now + patience.afterPicture);
  return now < end;
}

const boxes = "#settings, #step-list, #step-actions, #overlay";
const pressable = "button, summary, input[type=checkbox]";
// Controls whose effect depends on the photo. Choosing a step does not.
const bound = "#settings *, #step-list button:not(.name), #step-actions *, "
  + ":is(#copy, #paste, #paste-to, #history, #reset, #pin, #crop, #level)";
const isButton = (target) => target.closest?.(pressable)?.matches(bound) ?? false;
// Controls that act on the changes before them, or that decide for what the changes after them are.
const followsWaiting = (target) =>
  waiting.length > 0 && Boolean(target.closest?.("input[name=scope], #undo, #redo, #save, #done, #run"));
const fields = "input:not([type=range]):not([type=radio]):not([type=checkbox]), select, textarea";

// Finds a control of this name, because the one that an event is for can be replaced.
function finder(target) {
  const handle = target === document.body ? awaitedHandle() : null;
  const box = handle ? at("overlay") : target.closest?.(boxes);
  if (!box) return () => (target.isConnected ? target : document.body);
  const name = handle ?? nameOf(target.closest(controls) ?? target);
  return () => controlIn(box, name);
}

// Makes what comes until the end of `body` wait. If `body` returns false, nothing is shown, and what waits is forgotten.
export async function beforeLateKeys(body) {
  coming += 1;
  let made;
  try {
    made = await body();
    // Handles are drawn with the next frame.
    await new Promise(requestAnimationFrame);
    return made;
  } finally {
    coming -= 1;
    if (made === false) waiting = [];
    if (coming === 0) {
      const now = performance.now();
      [end, last] = [now + patience.afterPicture, now + patience.inAll];
      replay();
    }
  }
}

// Forgets what waits, unless it does this itself: it is for another photo than the one that opens now.
export function forgetLateKeys() { if (!isReplaying) waiting = []; }

function replay() {
  if (isReplaying) return;
  while (coming === 0 && waiting.length) {
    const target = waiting[0].find();
    if (!target && canHandleCome()) {
      clearTimeout(again);
      again = setTimeout(replay, 100);
      return;
    }
    const { act } = waiting.shift();
    isReplaying = true;
    try { if (target) act(target); } finally { isReplaying = false; }
  }
}
when("handles", replay);

const isUsed = (control) => ["c", "v", "s", "z", "enter"].includes(control);
// Keys of the browser, keys that end something, and the one that has an effect while it is held.
const isAside = /^(F\d+|Tab|Escape|Shift|Control|Alt|AltGraph|Meta|\\)$/;

// True for a key that would act on the photo before, or that follows such a key.
function mustWait({ target, key, ctrlKey, metaKey, altKey }) {
  if (altKey || isAside.test(key) || target.matches?.(fields)) return false;
  const small = key.toLowerCase();
  const isControl = ctrlKey || metaKey;
  if (isControl && (!isUsed(small) || (small === "c" && String(getSelection())))) return false;
  if (waiting.length) return true;
  if (isControl) return small === "c" || small === "v";
  if ([",", "."].includes(key)) return false;
  const isHandle = target === document.body && awaitedHandle() !== null;
  return isHandle || Boolean(target.closest?.("#settings, #overlay")) || ["c", "l", "p"].includes(small)
    || (["Enter", " "].includes(key) && isButton(target));
}

function pressed(key, given) {
  return (target) => {
    const event = new KeyboardEvent("keydown", { key, ...given, bubbles: true, cancelable: true });
    if (!target.dispatchEvent(event) || ![" ", "Enter"].includes(key)) return;
    // A browser presses a button only by a key of its own.
    if (target.matches("button, summary") || (key === " " && target.matches("input[type=checkbox]"))) target.click();
  };
}

for (const kind of ["keydown", "click"]) {
  addEventListener(kind, (event) => {
    const { target, key, shiftKey, ctrlKey, metaKey } = event;
    if (isReplaying || document.querySelector("dialog[open]")) return;
    const isHandleComing = target === document.body && awaitedHandle() !== null && canHandleCome();
    if (!coming && !waiting.length && !isHandleComing) return;
    if (kind === "keydown" ? !mustWait(event) : !coming || !(isButton(target) || followsWaiting(target))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const find = finder(target);
    if (kind === "click") waiting.push({ find, act: (control) => control.click() });
    else {
      // Letters have the same effect wherever the focus is.
      const isLetter = key.length === 1 && key !== " ";
      waiting.push({ find: isLetter ? () => find() ?? document.body : find, act: pressed(key, { shiftKey, ctrlKey, metaKey }) });
    }
  }, true);
}
