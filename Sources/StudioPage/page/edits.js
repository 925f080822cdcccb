// Changes of the edit, sent to the studio one after the other.

import { tell } from "/dialogs.js";
import { title } from "/controls.js";
import { settle } from "/pending.js";
import { post } from "/server.js";
import { at, chosen, page, paint } from "/state.js";

export async function attempt(body) {
  try { return await body(); } catch (error) {
    await tell("That was not possible", error.message, error.hint);
    return null;
  }
}

// Takes a state of the edit, unless the page has a later one: answers and messages can overtake each
// other.
export function take(edit) {
  if (edit.revision < page.edit.revision) return;
  page.edit = edit;
  if (page.step && !chosen()) page.step = null;
  paint();
}

// Sends changes of the edit in the order in which they were made.
let sent = Promise.resolve();
export function send(path, body) {
  const answer = sent.then(() => post(path, body));
  sent = answer.catch(() => {});
  return answer;
}

// Waits until all changes are made: the one that is being typed, that of keys, and those on their way.
export async function idle() {
  const focus = document.activeElement;
  if (focus?.matches("input, textarea")) focus.blur();
  await settle();
  for (let last = null; last !== sent;) {
    last = sent;
    await last;
  }
  if (focus?.isConnected) focus.focus();
}

const inScope = () => (page.scope === "photo" && page.photo ? [page.photo.id] : undefined);

// Without photos, the recipe is changed.
export async function change(label, operations, photos) {
  try {
    take(await send("/api/edit", { label, operations, photos }));
  } catch (error) {
    at("live").textContent = error.message;
    at("message").textContent = `${error.message} ${error.hint}`;
    paint();
  }
  page.stage.rest();
}

export const scopeChange = (label, operations) => change(label, operations, inScope());

export const set = (step, name, value) =>
  scopeChange(title(name.split(".")[0]), [{ set: `${step.id}.${name}`, value }]);
export const unset = (step, name) =>
  scopeChange(`Reset ${title(name).toLowerCase()}`, [{ unset: `${step.id}.${name}` }]);
export const move = (step, name, value) =>
  page.stage.move({ [`${step.id}.${name}`]: value }, page.scope === "photo");
