// Changes of the edit, sent to the studio one after the other.

import { ask, element, tell } from "/dialogs.js";
import { settle } from "/pending.js";
import { get, post } from "/server.js";
import { at, chosen, page, paint, parameterOf, parametersKey, usesParameter } from "/state.js";
import { title } from "/words.js";

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
  const isKnown = page.step === parametersKey ? edit.parameters.length : chosen();
  if (page.step && !isKnown) page.step = null;
  paint();
  if (!edit.own && page.photo) renewPhoto(page.photo.id);
}

// If very many photos have changed, their settings are not part of the edit's state.
async function renewPhoto(id) {
  try {
    const photo = await get(`/api/photos/${id}`);
    if (page.photo?.id === id) { page.photo = photo; paint(); }
  } catch { /* The photo is shown with the settings that are known. */ }
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

const output = (step) => step.place ?? undefined;

export async function set(step, name, value) {
  const label = title(name.split(".")[0]);
  const written = step.raw[name];
  if (page.scope === "recipe" && usesParameter(written)) {
    const parameter = parameterOf(written);
    const answer = await ask(`This value is ${written}`, element("p", { textContent: parameter
      ? `It is the value of the parameter ${parameter.name}, which other settings can use, too.`
      : "It contains the value of a parameter." }),
    [["Cancel", null], ["Replace it here", "here", !parameter],
      ...(parameter && !parameter.fixed ? [["Change the parameter", "parameter", true]] : [])]);
    if (answer === "parameter") return scopeChange(title(parameter.name), [{ set: parameter.name, value }]);
    if (!answer) { paint(); return page.stage.rest(); }
  }
  return scopeChange(label, [{ set: `${step.id}.${name}`, output: output(step), value }]);
}

export const unset = (step, name) =>
  scopeChange(`Reset ${title(name).toLowerCase()}`, [{ unset: `${step.id}.${name}`, output: output(step) }]);
export const move = (step, name, value) =>
  page.stage.move({ [`${step.id}.${name}`]: value }, page.scope === "photo");
