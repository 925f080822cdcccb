// The parameters of the recipe: values that several settings can share.

import { control, isLength, wholeEdge } from "/controls.js";
import { element } from "/dialogs.js";
import { scopeChange } from "/edits.js";
import { filterOf, page, parameterValue, steps } from "/state.js";
import { inText, title } from "/words.js";

// The first setting whose whole value is the parameter: it has a unit, and knows what is usual.
function settingOf(parameter) {
  const text = `\${${parameter.name}}`;
  for (const { raw } of steps()) {
    const setting = filterOf(raw)?.settings.find(({ name }) => raw[name] === text);
    if (setting) return setting;
  }
  return null;
}

// The range of the slider: what is usual for the setting, within the range of the parameter; undefined if there is no
// such range.
function usualRange({ min, max }, used) {
  const [low, high] = used?.usual ?? [];
  const common = [Math.max(min ?? low, low ?? min), Math.min(max ?? high, high ?? max)];
  const [from, to] = common[0] < common[1] ? common : [min ?? max - (high - low), max ?? min + (high - low)];
  return from < to ? [from, to] : undefined;
}

// The position of a slider of parts of an edge.
const numberOf = (value) => (value === wholeEdge ? 1 : value);

// True for a slider of parts of an edge.
const isPart = (parameter, used) => isLength(used) && parameter.max <= 1 && usualRange(parameter, used) !== undefined;

// A parameter as a setting for which a control can be made.
function declared(parameter, used) {
  const { name, summary, choices, min, max } = parameter;
  const setting = { name, summary: summary ?? "", default: parameter.default };
  if (choices) return { ...setting, schema: { enum: choices } };
  const usual = usualRange(parameter, used);
  if (isLength(used) && !usual) return { ...setting, schema: used.schema };
  switch (usual ? "number" : typeof parameter.default) {
  case "number": {
    const limits = used?.schema.anyOf?.[0] ?? used?.schema;
    return { ...setting, unit: used?.unit, usual,
      identity: page.scope === "photo" ? numberOf(parameter.value) : null,
      schema: { type: limits?.type === "integer" && !isPart(parameter, used) ? "integer" : "number",
        minimum: min ?? limits?.minimum, maximum: max ?? limits?.maximum } };
  }
  case "boolean": return { ...setting, schema: { type: "boolean" } };
  case "string": return { ...setting, schema: used?.schema.pattern ? used.schema : { type: "string" } };
  default: return { ...setting, schema: used?.schema ?? {} };
  }
}

const row = (parameter) => {
  const { origin, ...facts } = parameterValue(parameter);
  const { name, summary } = parameter;
  const used = settingOf(parameter);
  const hasParts = isPart(parameter, used);
  const written = (value) => (hasParts && value === 1 ? wholeEdge : value);
  const shown = { ...facts, value: hasParts ? numberOf(facts.value) : facts.value };
  return control(declared(parameter, used), { ...shown, origin: [summary, origin].filter(Boolean).join(" · ") }, {
    moved: (value) => page.stage.move({ [name]: written(value) }, page.scope === "photo"),
    set: (value) => scopeChange(title(name), [{ set: name, value: written(value) }]),
    reset: () => scopeChange(`Reset ${inText(name)}`, [{ unset: name }]),
  });
};

export const parameterRows = () => [
  element("p", { className: "origin", textContent: page.scope === "photo"
    ? "Values of this photo. Settings that use a parameter follow it."
    : "Values for all photos without a value of their own. Settings that use a parameter follow it." }),
  ...page.edit.parameters.map(row)];
