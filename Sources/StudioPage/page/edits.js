// Changes of the edit, made one after the other.

import { compare, differingPaths, isBound, isSame, withParts } from "/bindings.js";
import { ask, element, tell, versions } from "/dialogs.js";
import { endTyping } from "/focus.js";
import { complain, endSaid, inPage, sentences } from "/messages.js";
import { settle } from "/pending.js";
import { get, post } from "/server.js";
import { chosen, own, ownParameters, ownParts, page, paint, parameterOf, parametersKey, steps, valueOf } from "/state.js";
import { inText, listed, sentence, title } from "/words.js";

export async function attempt(body) {
  try { return await body(); } catch (error) {
    const hint = error.hint && sentence(inPage(error.hint));
    await tell("That was not possible", sentence(error.message), hint, versions(error.differences ?? []));
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

// Reads a photo again: if very many photos have changed, their settings are not part of the edit's state. The photo that
// is open may be another one by then.
export async function renewPhoto(id) {
  try {
    const photo = await get(`/api/photos/${id}`);
    if (page.photo?.id === id) { page.photo = photo; paint(); }
  } catch { /* The photo is shown with the settings that are known. */ }
}

// Makes changes of the edit in their order. Each begins when the page has the state that the one before has left.
let turns = Promise.resolve();
export function inTurn(body) {
  const made = turns.then(body);
  turns = made.catch(() => {});
  return made;
}

// Makes a change in its turn, after a movement by keys that is under way.
export function afterMovement(body) {
  settle();
  return inTurn(body);
}

// The number of changes that the studio has refused.
let refusals = 0;
// Their number when the pointer was pressed; null after a key. A press on a button leaves the field with the focus, whose
// change can be refused before the button acts.
let refusalsAtPress = null;
addEventListener("pointerdown", () => { refusalsAtPress = refusals; }, true);
addEventListener("keydown", () => { refusalsAtPress = null; }, true);

// Counts a change that is refused, and says why.
export function refuse(text) {
  refusals += 1;
  complain(text);
}

// Waits until the changes on their way are made, and that of keys.
export async function changesMade() {
  await settle();
  for (let last = null; last !== turns;) {
    last = turns;
    await last;
  }
}

// Waits until all changes are made, with the one that is being typed. Returns false if one of them was refused.
export async function idle() {
  const before = refusalsAtPress ?? refusals;
  refusalsAtPress = null;
  const giveFocusBack = endTyping();
  await changesMade();
  giveFocusBack();
  return refusals === before;
}

const inScope = () => (page.scope === "photo" && page.photo ? [page.photo.id] : undefined);

// Shows the saved state of the edit, and ends the preview of a movement.
export const showEdit = () => { paint(); page.stage.rest(); };

// Returns true if the change is made.
async function make(label, operations, photos) {
  if (!operations.length) return false;
  try {
    take(await post("/api/edit", { label, operations, photos }));
    endSaid();
    page.stage.rest();
    return true;
  } catch (error) {
    refuse(sentences(error));
    showEdit();
    return false;
  }
}

// Without photos, the recipe is changed. A function returns the operations for the state that the changes before have
// left; without operations, nothing is changed. Resolves to true if the change is made.
export const change = (label, operations, photos) =>
  afterMovement(() => make(label, typeof operations === "function" ? operations() : operations, photos));

export const scopeChange = (label, operations) => afterMovement(() => make(label, operations, inScope()));

const output = (step) => step.place ?? undefined;

// The new values of the parameters that a change would replace, by their names; null if a parameter cannot get its value.
function newParameters(replaced) {
  const values = new Map();
  for (const { text, value } of replaced) {
    const parameter = parameterOf(text);
    if (!parameter || parameter.fixed || value == null) return null;
    if (values.has(parameter.name) && !isSame(values.get(parameter.name), value)) return null;
    values.set(parameter.name, value);
  }
  return values;
}

// Asks whether parameters are meant, or the places that use them: "parameters", "here", or null for neither.
function askWhich(replaced, values) {
  const texts = [...new Set(replaced.map(({ text }) => text))];
  const isOne = texts.length === 1;
  const names = texts.map((text) => parameterOf(text)?.name).filter(Boolean);
  const sentence = names.length < texts.length
    ? isOne ? "It contains the value of a parameter." : "They contain values of parameters."
    : isOne ? `It is the value of the parameter ${names[0]}, which other settings can use, too.`
      : `They are the values of the parameters ${listed(names)}, which other settings can use, too.`;
  const scope = page.scope === "photo" ? ` ${isOne ? "It is" : "They are"} changed for this photo only.` : "";
  return ask(isOne ? `This value is ${texts[0]}` : `These values are ${listed(texts)}`,
    element("p", { textContent: sentence + scope }),
    [["Cancel", null], [isOne ? "Replace it here" : "Replace them here", "here", !values],
      ...(values ? [[isOne ? "Change the parameter" : "Change the parameters", "parameters", true]] : [])]);
}

// The value of a setting as it is written for the scope, with parameters in it: the recipe's, with the photo's own parts.
function written(step, name) {
  if (page.scope === "recipe") return step.raw[name];
  const key = `${step.id}.${name}`;
  if (key in own()) return own()[key];
  const parts = ownParts(step, name);
  return parts.length ? withParts(step.raw[name], parts) : step.raw[name];
}

const shown = (step, name) => valueOf(step, name, undefined).value;

// The operations that give the photo a value of its own; parts of the value that stay, and have parameters, are not set.
function ownOperations(step, name, value, next) {
  const key = `${step.id}.${name}`;
  const old = written(step, name);
  const whole = () => [...ownParts(step, name).map(([path]) => ({ unset: `${key}.${path}` })), { set: key, value }];
  if (!isBound(old) || key in own()) return whole();
  const paths = differingPaths(old, next);
  if (!paths || paths.includes("")) return whole();
  const at = (path) => path.split(".").reduce((inner, part) => inner[part], value);
  return paths.map((path) => ({ set: `${key}.${path}`, value: at(path) }));
}

// Sets settings of a step, given by their names; null gives a setting its default, and a function gets the value that is
// shown and returns the next. A function in place of the settings gets the step and returns them, or null to cancel.
// Asks if a value that is a parameter would be replaced. Returns false if the change is cancelled.
export const setAll = (step, label, given) => afterMovement(async () => {
  // The changes before this one can have changed the step.
  const now = () => steps().find(({ key }) => key === step.key) ?? step;
  const settings = typeof given === "function" ? await given(now()) : given;
  if (!settings) return false;
  const values = Object.entries(settings).map(([name, value]) =>
    [name, typeof value === "function" ? value(shown(now(), name)) : value]);
  return write(now(), label, Object.fromEntries(values));
});

// With the settings that a value excludes, at their defaults: `crop` keeps an aspect, or what its edges enclose.
const edges = ["left", "top", "right", "bottom", "width", "height"];
function withoutExcluded(step, given) {
  if (step.raw.filter !== "crop") return given;
  const excluded = given.aspect != null ? edges : edges.some((name) => given[name] != null) ? ["aspect"] : [];
  const set = excluded.filter((name) => shown(step, name) != null).map((name) => [name, null]);
  return { ...given, ...Object.fromEntries(set) };
}

async function write(step, label, wanted) {
  const given = withoutExcluded(step, wanted);
  const operation = (name, value) => ({ set: `${step.id}.${name}`, output: output(step), value });
  const entries = Object.entries(given);
  const compared = entries.map(([name, value]) => [name, compare(written(step, name), shown(step, name), value)]);
  const replaced = compared.flatMap(([, found]) => found.replaced);
  const values = newParameters(replaced);
  const answer = replaced.length ? await askWhich(replaced, values) : "here";
  if (!answer) { showEdit(); return false; }
  const operations = compared.map(([name, { kept, here }]) => [name, answer === "here" ? here : kept])
    .filter(([name, value]) => page.scope === "photo" || !isSame(value, step.raw[name]))
    .flatMap(([name, value]) => (page.scope === "recipe" ? [operation(name, value)]
      : isSame(value, written(step, name)) ? [] : ownOperations(step, name, given[name], value)));
  const parameters = answer === "parameters" ? [...values].map(([name, value]) => ({ set: name, value })) : [];
  if (!operations.length && !parameters.length) { showEdit(); return true; }
  const isOne = !operations.length && parameters.length === 1;
  await make(isOne ? title(parameters[0].set) : label, [...operations, ...parameters], inScope());
  return true;
}

export const set = (step, name, value) => setAll(step, title(name.split(".")[0]), { [name]: value });

// Gives a setting, or a part of one, its earlier value. For a photo that has only values of the parameters in it, these
// are removed.
export const unset = (step, name) => afterMovement(() => {
  const isForPhoto = page.scope === "photo";
  const keys = [...(isForPhoto ? ownParts(step, name).map(([path]) => `${name}.${path}`) : []), name]
    .map((key) => `${step.id}.${key}`);
  const isOwn = keys.some((key) => key in own());
  const names = isForPhoto && !isOwn ? ownParameters(name.split(".").reduce((inner, key) => inner?.[key], step.raw)) : [];
  return make(`Reset ${inText(name)}`,
    (names.length ? names : keys).map((key) => ({ unset: key, output: output(step) })), inScope());
});

export const move = (step, name, value) =>
  page.stage.move({ [`${step.id}.${name}`]: value }, page.scope === "photo");
