// The state of the page: the session, the edit, the photo that is open and the step that is chosen.

import { isBound, usesParameter, withParts } from "/bindings.js";

export const at = (id) => document.getElementById(id);
export const page = { session: null, edit: null, photo: null, number: 0, scope: "recipe", step: null,
  live: null, stage: null, strip: null };

// The events by which parts of the page notify each other: `paint` after every change, `leave` when a tool
// ends, `level` when the user draws a line, `picture` with the head of a painted picture, `depths` with a picture of
// the photo's depths, `frame` with the head of a picture that was asked for the frame of a step, or `no-frame` with
// the reason why there is none, `placed` when that frame is known, `layout` when the picture has another place, `empty` when
// there is none, `connected` when the studio can be asked, `saved`
// after a save.
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
export const isUnsaved = () => page.edit.unsaved.recipe || page.edit.unsaved.photos > 0;
export const own = () => page.edit.own?.[page.photo?.id] ?? page.photo?.own ?? {};

// The parameter that is a setting's whole value.
export const parameterOf = (value) => page.edit.parameters.find(({ name }) => value === `\${${name}}`);

// The value of a parameter, and where it comes from.
export function parameterValue(parameter) {
  const mine = own();
  if (!parameter.fixed && parameter.name in mine) {
    return { value: mine[parameter.name], origin: "this photo", isOwn: true, isSet: page.scope === "photo" };
  }
  return { value: parameter.value, origin: parameter.fixed ? "--set" : "recipe", isSet: false, isFixed: parameter.fixed };
}

// A written value with the values of parameters in it; `resolved` is that value for photos without own settings.
function filled(written, resolved) {
  if (usesParameter(written)) {
    const parameter = parameterOf(written);
    return parameter ? parameterValue(parameter).value : resolved;
  }
  if (!isBound(written)) return written;
  const parts = Object.entries(written).map(([key, part]) => [key, filled(part, resolved?.[key])]);
  return Array.isArray(written) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}

// The value of a setting in the recipe, with the values of parameters that the open photo has.
export const filledValue = (step, name) => filled(step.raw[name], page.edit.resolved[step.key]?.[name]);

// The photo's own values of parts of a setting, such as the feather of a mask: each with its path in the setting.
export const ownParts = (step, name) => {
  const start = `${step.id}.${name}.`;
  return Object.entries(own()).filter(([key]) => key.startsWith(start)).map(([key, value]) => [key.slice(start.length), value]);
};

// The value of a setting of a step, and where it comes from.
export function valueOf(step, name, fallback) {
  const key = `${step.id}.${name}`;
  const mine = own();
  if (page.edit.fixed.includes(key)) {
    return { value: page.edit.resolved[step.key]?.[name] ?? fallback, origin: "--set", isSet: false, isFixed: true };
  }
  const parts = ownParts(step, name);
  if (key in mine) {
    return { value: (parts.length ? withParts(mine[key], parts) : mine[key]) ?? fallback, origin: "this photo", isOwn: true, isSet: page.scope === "photo" };
  }
  if (parts.length) {
    return { value: withParts(filledValue(step, name), parts), origin: "this photo", isOwn: true, isSet: page.scope === "photo" };
  }
  const written = step.raw[name];
  if (written === undefined) return { value: fallback, origin: "", isSet: false };
  if (usesParameter(written)) {
    return { value: filledValue(step, name) ?? fallback, origin: `parameter ${written}`, isSet: page.scope === "recipe" };
  }
  const isOwnStep = page.edit.ownSteps.includes(step.key);
  return { value: filledValue(step, name), origin: isOwnStep ? "recipe" : "base recipe",
    isSet: page.scope === "recipe" && isOwnStep };
}

export const isOn = (step) => valueOf(step, "enabled", true).value !== false;
