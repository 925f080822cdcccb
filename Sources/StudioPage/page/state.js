// The state of the page: the session, the edit, the photo that is open and the step that is chosen.

import { isBound, usesParameter, withParts } from "/bindings.js";

export const at = (id) => document.getElementById(id);
export const page = { session: null, edit: null, photo: null, number: 0, scope: "recipe", step: null,
  live: null, stage: null, strip: null };

// The events by which parts of the page notify each other: `paint` after every change, `leave` when a tool
// ends, `level` when the user draws a line, `picture` with the head of a painted picture, `measured` with the canvas that
// has the picture without the mask in red, `depths` with a picture of the photo's depths, `frame` with the head of a
// picture that was asked for the frame of a step, or `no-frame` with the reason why there is none, `placed` when that frame
// is known, `layout` when the picture has another place, `empty` when there is none, `connected` when the studio can be
// asked, `saved` after a save, `ended` with the facts of a run that has ended, `handles` when handles are drawn over the
// photo.
const listeners = new Map();
export const when = (name, action) =>
  listeners.set(name, [...(listeners.get(name) ?? []), action]);
export const announce = (name, fact) => { for (const action of listeners.get(name) ?? []) action(fact); };
export const paint = () => announce("paint");
export const leaveTools = () => announce("leave");

export const filterOf = (step) => page.session.filters.find((filter) => filter.name === step?.filter);

// A step has an id, and a key that no other step has: steps of different outputs may have one id.
const named = (raw, place) => {
  const id = raw.id ?? raw.filter;
  return { raw, id, place, key: place ? `${place}/${id}` : id };
};
export const steps = () => [
  ...page.edit.filters.map((raw) => named(raw, null)),
  ...page.edit.outputs.flatMap(({ name, filters }) => filters.map((raw) => named(raw, name))),
];
export const chosen = () => steps().find((step) => step.key === page.step);
// In place of a step's key: the parameters are chosen. No step can have this key.
export const parametersKey = "${}";
// Makes changes apply to all photos, "recipe", or to the one that is shown, "photo".
export function applyTo(scope) {
  page.scope = scope;
  document.querySelector(`input[name=scope][value=${scope}]`).checked = true;
  paint();
}

export const isUnsaved = () => page.edit.unsaved.recipe || page.edit.unsaved.photos > 0;
export const own = () => page.edit.own?.[page.photo?.id] ?? page.photo?.own ?? {};

// The parameter that is a setting's whole value.
export const parameterOf = (value) => page.edit.parameters.find(({ name }) => value === `\${${name}}`);

// The names of the parameters in a written value for which the photo has its own values.
export const ownParameters = (written) => page.edit.parameters.filter(({ name, fixed }) =>
  !fixed && name in own() && JSON.stringify(written ?? null).includes(`\${${name}}`)).map(({ name }) => name);

// Where a recipe's value comes from if the photo has its own: a change of the recipe does not change this photo.
export function originBeside(mine, origin) {
  const text = mine === null ? ": none" : ["number", "string", "boolean"].includes(typeof mine) ? `: ${mine}` : "";
  return [origin, `this photo has its own${text}`].filter(Boolean).join(" · ");
}
// Where the photo's own value comes from: from itself, or from the photo's own values of these parameters.
export const ownOrigin = (names) => ["this photo", ...names.map((name) => `parameter \${${name}}`)].join(" · ");
const withOwn = (facts, mine) => ({ ...facts, isOwn: true, origin: originBeside(mine, facts.origin) });

// The value of a parameter in a scope, and where it comes from.
export function parameterValue(parameter, scope = page.scope) {
  const mine = own();
  const recipe = { value: parameter.value, origin: parameter.fixed ? "--set" : "recipe", isSet: false, isFixed: parameter.fixed };
  if (parameter.fixed || !(parameter.name in mine)) return recipe;
  const value = mine[parameter.name];
  return scope === "photo" ? { value, origin: "this photo", isOwn: true, isSet: true } : withOwn(recipe, value);
}

// A written value with the values of parameters in it; `resolved` is that value for photos without own settings.
function filled(written, resolved, scope) {
  if (usesParameter(written)) {
    const parameter = parameterOf(written);
    return parameter ? parameterValue(parameter, scope).value : resolved;
  }
  if (!isBound(written)) return written;
  const parts = Object.entries(written).map(([key, part]) => [key, filled(part, resolved?.[key], scope)]);
  return Array.isArray(written) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}

// The value of a setting in the recipe, with the values of parameters that the scope has.
export const filledValue = (step, name, scope = page.scope) =>
  filled(step.raw[name], page.edit.resolved[step.key]?.[name], scope);

// The photo's own values of parts of a setting, such as the feather of a mask: each with its path in the setting.
export const ownParts = (step, name) => {
  const start = `${step.id}.${name}.`;
  return Object.entries(own()).filter(([key]) => key.startsWith(start)).map(([key, value]) => [key.slice(start.length), value]);
};

// The photo's own value of a setting; undefined if it has none.
function ownValue(step, name) {
  const [mine, key, parts] = [own(), `${step.id}.${name}`, ownParts(step, name)];
  const whole = key in mine ? mine[key] : filledValue(step, name, "photo");
  return parts.length ? withParts(whole, parts) : mine[key];
}

// Where the recipe's settings of a step come from.
export const recipeOrigin = (step) => (page.edit.ownSteps.includes(step.key) ? "recipe" : "base recipe");

function recipeValue(step, name, fallback, scope) {
  const written = step.raw[name];
  if (written === undefined) return { value: fallback, origin: "", isSet: false };
  const value = filledValue(step, name, scope);
  const isSet = scope === "recipe";
  if (usesParameter(written)) return { value: value ?? fallback, origin: `parameter ${written}`, isSet };
  return { value, origin: recipeOrigin(step), isSet: isSet && page.edit.ownSteps.includes(step.key) };
}

// The value of a setting of a step in a scope, and where it comes from: with "photo", that of the picture; with
// "recipe", that of photos without own settings.
export function valueOf(step, name, fallback, scope = page.scope) {
  if (page.edit.fixed.includes(`${step.id}.${name}`)) {
    return { value: page.edit.resolved[step.key]?.[name] ?? fallback, origin: "--set", isSet: false, isFixed: true };
  }
  const mine = ownValue(step, name);
  const recipe = recipeValue(step, name, fallback, scope);
  const names = mine === undefined ? ownParameters(step.raw[name]) : [];
  if (mine === undefined && !names.length) return recipe;
  if (scope === "recipe") return withOwn(recipe, mine === undefined ? filledValue(step, name, "photo") : mine ?? fallback ?? null);
  const value = mine === undefined ? recipe.value : mine ?? fallback;
  return { value, origin: ownOrigin(names), isOwn: true, isSet: true };
}

// True if the step is on in the scope.
export const isOn = (step, scope = page.scope) => valueOf(step, "enabled", true, scope).value !== false;
