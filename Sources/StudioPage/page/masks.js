// The opacity and the mask of a step, by numbers and by handles.

import { control } from "/controls.js";
import { element } from "/dialogs.js";
import { move, set, unset } from "/edits.js";
import { MaskFrame, canDraw } from "/frames.js";
import { lacking } from "/lacks.js";
import { maskPicker } from "/pickers.js";
import { at, chosen, filterOf, isOn, page, paint, steps, valueOf, when } from "/state.js";
import { plural, title } from "/words.js";

let maskFrame;
// A number of a mask: its name, its path in the mask, its usual range, and its value if it is left out.
const number = (name, path, usual, standard = usual[0]) => ({ name, path, usual, standard });
const part = (name, path, standard = 0) => number(name, path, [0, 1], standard);
const feather = (shape, most, standard = 0) => number("maskFeather", `${shape}.feather`, [0, most], standard);
const range = (shape, low, high) => [part(low, `${shape}.min`), part(high, `${shape}.max`, 1), feather(shape, 0.5, 0.1)];
// The setting for photos whose file does not have the data of the mask: they stay unchanged, or fail.
const missing = (shape) => ({ name: "photosWithoutIt", path: `${shape}.missing`, standard: "fail",
  choices: (mask) => [["nothing", mask.invert === true ? "change everywhere" : "stay unchanged"], ["fail", "fail"]] });
const mattes = ["skin", "hair", "teeth", "glasses", "sky"];
const faces = [["skin", "skin"], ["eyes", "eyes"], ["all", "all of the face"]];

// The shapes that can be chosen, each with the value that it starts with, and its settings.
const shapes = {
  linear: { name: "linear", hasHandles: true, start: { from: [0.5, 0.7], to: [0.5, 0.3] },
    settings: ["maskFrom", "maskTo"].flatMap((end) => [part(`${end}X`, `linear.${end}.0`), part(`${end}Y`, `linear.${end}.1`)]) },
  radial: { name: "radial", hasHandles: true, start: { center: [0.5, 0.5], radius: 0.6, feather: 0.5 },
    settings: [part("maskCentreX", "radial.center.0", 0.5), part("maskCentreY", "radial.center.1", 0.5),
      number("maskRadius", "radial.radius", [0.02, 2]), feather("radial", 1, 0.5)] },
  polygon: { name: "polygon", hasHandles: true,
    start: { points: [[0.3, 0.3], [0.7, 0.3], [0.7, 0.7], [0.3, 0.7]], feather: 0.05 },
    settings: [feather("polygon", 0.5)] },
  luminance: { name: "tone", canPick: true, start: { min: 0.5, max: 1, feather: 0.1 },
    settings: range("luminance", "maskDarkest", "maskBrightest") },
  colour: { name: "colour", canPick: true, start: { colour: "#808080", tolerance: 0.1, feather: 0.05 },
    settings: [{ name: "maskColour", path: "colour.colour", standard: "#808080", isColour: true },
      number("maskTolerance", "colour.tolerance", [0, 0.4], 0.05), feather("colour", 0.4, 0.05)] },
  depth: { name: "depth", canPick: true, start: { min: 0.5, max: 1, feather: 0.1, missing: "nothing" },
    settings: [...range("depth", "maskFarthest", "maskNearest"), missing("depth")] },
  matte: { name: "matte of the camera", start: { of: "skin", missing: "nothing" },
    settings: [{ name: "matte", path: "matte.of", choices: [["portrait", "people"], ...mattes.map((name) => [name, name])] },
      feather("matte", 0.2), missing("matte")] },
  face: { name: "faces", start: "skin", settings: [{ name: "partOfFaces", path: "face", choices: faces }] },
};
const combinations = { add: "added", subtract: "subtracted", intersect: "intersected" };

// The name of a mask that cannot be chosen here.
function nameOf(mask) {
  const combined = Object.keys(combinations).find((name) => Array.isArray(mask[name]));
  if (combined) return `${plural(mask[combined].length, "mask")}, ${combinations[combined]}`;
  return mask.image ? `image ${mask.image.file}` : "other";
}

const isObject = (value) => value !== null && typeof value === "object";
const atPath = (object, path) => path.split(".").reduce((inner, key) => inner?.[key], object);
// Settings that are left out where others are written.
const left = { center: [0.5, 0.5] };

// The mask with another value at a path. The ends of a range keep their order.
function changed(mask, path, value) {
  const next = structuredClone(mask);
  const keys = path.split(".");
  const last = keys.pop();
  const inner = keys.reduce((outer, key) => {
    if (!isObject(outer[key])) outer[key] = structuredClone(left[key] ?? {});
    return outer[key];
  }, next);
  inner[last] = value;
  if (last === "min" && (inner.max ?? 1) < value) inner.max = value;
  if (last === "max" && (inner.min ?? 0) > value) inner.min = value;
  return next;
}

const rowOf = (id, text, ...parts) =>
  element("div", { className: "setting" }, element("label", { htmlFor: id, textContent: text }), ...parts);

function choice(id, entries, value, choose) {
  const select = element("select", { id, onchange: (event) => choose(event.target.value) });
  for (const [name, text] of entries) {
    select.append(element("option", { value: name, textContent: text, selected: name === value }));
  }
  return select;
}

// The control of one setting of a mask.
function settingRow(step, mask, { name, path, usual, standard, choices, isColour }) {
  const value = atPath(mask, path) ?? standard;
  const write = (next) => changed(mask, path, next);
  if (choices) {
    const id = `setting-${name}`;
    const usable = typeof choices === "function" ? choices(mask) : choices;
    const known = usable.some(([other]) => other === value) ? usable : [...usable, [value, JSON.stringify(value) ?? "none"]];
    return rowOf(id, title(name),
      element("span", { className: "value" }, choice(id, known, value, (next) => set(step, "mask", write(next)))));
  }
  const isFraction = /\.(min|max|feather|tolerance)$/.test(path);
  const schema = isColour ? { pattern: "^#" } : isFraction ? { type: "number", minimum: 0, maximum: 1 } : { type: "number" };
  const setting = { name, summary: title(name), usual, identity: null, schema };
  return control(setting, { value, origin: "", isSet: false }, {
    moved: (next) => move(step, "mask", write(next)), set: (next) => set(step, "mask", write(next)), reset: () => {},
  });
}

// The opacity and the mask, which all steps have that keep the frame.
export function blending(step) {
  const opacity = { name: "opacity", summary: "The share of the step's result.", usual: [0, 1],
    identity: 1, schema: { type: "number", minimum: 0, maximum: 1 } };
  const rows = [control(opacity, valueOf(step, "opacity", 1), {
    moved: (value) => move(step, "opacity", value),
    set: (value) => set(step, "opacity", value), reset: () => unset(step, "opacity"),
  })];
  const { value, ...facts } = valueOf(step, "mask", null);
  // A sidecar that was edited by hand can have anything in place of a mask.
  const mask = value == null || isObject(value) ? value : { other: value };
  const shape = mask ? Object.keys(shapes).find((name) => name in mask) ?? "other" : "none";
  const entries = [["none", "none"], ...Object.entries(shapes).map(([name, { name: text }]) => [name, text]),
    ...(shape === "other" ? [["other", nameOf(mask)]] : [])];
  const select = choice("mask", entries, shape, (name) => {
    if (name === "none") page.scope === "recipe" ? set(step, "mask", null) : unset(step, "mask");
    else if (shapes[name]) set(step, "mask", { [name]: shapes[name].start });
  });
  const lack = element("span", { id: "mask-lacks", className: "lacks", role: "status", textContent: lacking(mask) });
  select.setAttribute("aria-describedby", lack.id);
  rows.push(rowOf("mask", "Mask", element("span", { className: "value" }, select),
    element("span", { className: facts.isOwn ? "origin own" : "origin", textContent: facts.origin }), lack));
  if (shapes[shape]?.canPick) rows.push(maskPicker(step, mask, shape, lack.textContent !== ""));
  rows.push(...(shapes[shape]?.settings ?? []).map((setting) => settingRow(step, mask, setting)));
  if (mask) {
    rows.push(rowOf("invert", "Invert mask", element("input", { id: "invert", type: "checkbox",
      checked: mask.invert === true,
      onchange: (event) => set(step, "mask", { ...mask, invert: event.target.checked }) })));
    rows.push(rowOf("coverage", "Show mask in red", element("input", { id: "coverage", type: "checkbox",
      title: "Show the mask (M)", checked: page.showsMask === true, onchange: toggleCoverage })));
  }
  paintMask(step, shapes[shape]?.hasHandles && canDraw(mask) ? mask : null);
  return rows;
}

// Shows where the mask of the chosen step lets it work, or no longer.
export function toggleCoverage() {
  page.showsMask = !page.showsMask;
  page.stage.rest();
  paint();
}

// The step whose mask is shown in the picture.
export function coveredStep() {
  const step = page.showsMask ? chosen() : null;
  return step && valueOf(step, "mask", null).value ? step.id : undefined;
}

// Positions of masks count in the frame of their step. Handles are shown only where that is the
// frame of the picture.
function paintMask(step, mask) {
  if (page.crop || page.level || page.pick) return;
  const changes = steps().some((other) =>
    filterOf(other.raw)?.category === "geometry" && other.raw.filter !== "resize" && isOn(other));
  if (!mask || changes || page.stage.isWhole) {
    maskFrame?.hide();
    at("overlay").classList.remove("active");
    return;
  }
  maskFrame ??= new MaskFrame(at("overlay"),
    (next) => move(chosen(), "mask", next), (next) => set(chosen(), "mask", next));
  requestAnimationFrame(() => { if (chosen()?.key === step.key && !page.crop && !page.pick) maskFrame.show(mask); });
}

when("leave", () => maskFrame?.hide());
when("picture", (head) => { if (!head.moving && !page.crop && !page.pick) maskFrame?.draw(); });
when("level", () => maskFrame?.hide());
