// Values of settings that are bound to parameters, in whole or in parts.

export const usesParameter = (value) => typeof value === "string" && value.includes("${");

// The texts with parameters inside a written value.
function bound(written) {
  if (usesParameter(written)) return [written];
  return written !== null && typeof written === "object" ? Object.values(written).flatMap(bound) : [];
}

export const isBound = (written) => bound(written).length > 0;

export const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const isPlain = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

// A value with other values at paths in it, such as `radial.feather`. As in a run, a path has no effect if an object on
// it is missing: the recipe's mask can have got another kind since.
export function withParts(value, parts) {
  const next = structuredClone(value);
  for (const [path, part] of parts) {
    const keys = path.split(".");
    const last = keys.pop();
    const inner = keys.reduce((outer, key) => outer?.[key], next);
    if (isPlain(inner)) inner[last] = part;
  }
  return next;
}

// The paths at which a new value differs from an old one; null if a part of the old one is removed, which paths cannot
// say.
export function differingPaths(old, value) {
  if (isSame(old, value)) return [];
  if (!isPlain(old) || !isPlain(value)) return [""];
  const found = Object.keys(old).every((key) => key in value) ? Object.keys(value).map((key) => {
    const paths = key in old ? differingPaths(old[key], value[key]) : [""];
    return paths?.map((path) => (path ? `${key}.${path}` : key));
  }) : [null];
  return found.includes(null) || found.includes(undefined) ? null : found.flat();
}

// Texts that a new value has no place for.
const lost = (written) => bound(written).map((text) => ({ text, value: undefined }));

// Compares a new value of a setting with the written one, leaf by leaf. `shown` is the written value with the values
// of parameters in it.
// Returns the new value with all parameters that it has a place for (`kept`), the new value with only those whose
// value stays (`here`), and the others, each with the value that would replace it (`replaced`).
export function compare(written, shown, value) {
  if (usesParameter(written)) {
    const stays = isSame(shown, value);
    return { kept: written, here: stays ? written : value, replaced: stays ? [] : [{ text: written, value }] };
  }
  const isList = Array.isArray(value);
  if (!isBound(written) || value === null || typeof value !== "object" || isList !== Array.isArray(written)) {
    return { kept: value, here: value, replaced: lost(written) };
  }
  // In a longer or shorter list, an element has the place of an equal one.
  const place = (key) => (isList && value.length !== written.length
    ? shown.findIndex((other) => isSame(other, value[key])) : key);
  const [kept, here] = isList ? [[], []] : [{}, {}];
  const replaced = [];
  const used = new Set();
  for (const key of Object.keys(value)) {
    const from = String(place(key));
    const part = compare(written[from], shown[from], value[key]);
    used.add(from);
    [kept[key], here[key]] = [part.kept, part.here];
    replaced.push(...part.replaced);
  }
  for (const key of Object.keys(written)) if (!used.has(key)) replaced.push(...lost(written[key]));
  return { kept, here, replaced };
}
