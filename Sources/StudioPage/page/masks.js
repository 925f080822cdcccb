// The opacity and the mask of a step, by numbers and by handles.

import { control } from "/controls.js";
import { element } from "/dialogs.js";
import { move, set, unset } from "/edits.js";
import { MaskFrame } from "/frames.js";
import { maskPicker } from "/pickers.js";
import { at, chosen, filterOf, isOn, page, paint, steps, valueOf, when } from "/state.js";

let maskFrame;
// The shapes that can be chosen, each with the values that it starts with.
const shapes = {
  linear: { name: "linear", hasHandles: true, start: { from: [0.5, 0.7], to: [0.5, 0.3] } },
  radial: { name: "radial", hasHandles: true, start: { center: [0.5, 0.5], radius: 0.6, feather: 0.5 } },
  polygon: { name: "polygon", hasHandles: true,
    start: { points: [[0.3, 0.3], [0.7, 0.3], [0.7, 0.7], [0.3, 0.7]], feather: 0.05 } },
  luminance: { name: "tone", start: { min: 0.5, max: 1, feather: 0.1 } },
  colour: { name: "colour", start: { colour: "#808080", tolerance: 0.1, feather: 0.05 } },
};
const atPath = (object, path) => path.split(".").reduce((inner, key) => inner?.[key], object);

// The opacity and the mask, which all steps have that keep the frame.
export function blending(step) {
  const opacity = { name: "opacity", summary: "The share of the step's result.", usual: [0, 1],
    identity: 1, schema: { type: "number", minimum: 0, maximum: 1 } };
  const rows = [control(opacity, valueOf(step, "opacity", 1), {
    moved: (value) => move(step, "opacity", value),
    set: (value) => set(step, "opacity", value), reset: () => unset(step, "opacity"),
  })];
  const { value: mask, ...facts } = valueOf(step, "mask", null);
  const shape = mask ? Object.keys(shapes).find((name) => name in mask) ?? "other" : "none";
  const select = element("select", { id: "mask", onchange: (event) => {
    if (event.target.value === "none") page.scope === "recipe" ? set(step, "mask", null) : unset(step, "mask");
    else if (shapes[event.target.value]) {
      set(step, "mask", { [event.target.value]: shapes[event.target.value].start });
    }
  } });
  for (const name of ["none", ...Object.keys(shapes), ...(shape === "other" ? ["other"] : [])]) {
    select.append(element("option", { value: name, textContent: shapes[name]?.name ?? name,
      selected: name === shape }));
  }
  rows.push(element("div", { className: "setting" },
    element("label", { htmlFor: "mask", textContent: "Mask" }),
    element("span", { className: "value" }, select),
    element("span", { className: facts.isOwn ? "origin own" : "origin", textContent: facts.origin })));
  const withMask = (next) => set(step, "mask", next);
  const field = (label, path, usual, standard = usual[0], type = "number") => {
    const setting = { name: label, summary: label, usual, identity: null, schema: { type } };
    if (type !== "number") [setting.usual, setting.schema] = [undefined, { pattern: "^#" }];
    const write = (value) => {
      const next = structuredClone(mask);
      const keys = path.split(".");
      keys.slice(0, -1).reduce((inner, key) => inner[key], next)[keys.at(-1)] = value;
      return next;
    };
    rows.push(control(setting, { value: atPath(mask, path) ?? standard, origin: "", isSet: false }, {
      moved: (value) => move(step, "mask", write(value)), set: (value) => withMask(write(value)), reset: () => {},
    }));
  };
  if (shape === "radial") {
    field("centerX", "radial.center.0", [0, 1]);
    field("centerY", "radial.center.1", [0, 1]);
    field("radius", "radial.radius", [0.02, 2]);
    field("feather", "radial.feather", [0, 1]);
  } else if (shape === "linear") {
    for (const [end, text] of [["from", "from"], ["to", "to"]]) {
      field(`${text}X`, `linear.${end}.0`, [0, 1]);
      field(`${text}Y`, `linear.${end}.1`, [0, 1]);
    }
  } else if (shape === "polygon") {
    field("feather", "polygon.feather", [0, 0.5]);
  } else if (shape === "luminance") {
    rows.push(maskPicker(step, mask));
    field("darkest", "luminance.min", [0, 1]);
    field("brightest", "luminance.max", [0, 1], 1);
    field("feather", "luminance.feather", [0, 0.5], 0.1);
  } else if (shape === "colour") {
    rows.push(maskPicker(step, mask));
    field("maskColour", "colour.colour", [0, 1], "#808080", "colour");
    field("tolerance", "colour.tolerance", [0, 0.4], 0.05);
    field("feather", "colour.feather", [0, 0.4], 0.05);
  }
  if (mask) {
    rows.push(element("div", { className: "setting" },
      element("label", { htmlFor: "invert", textContent: "Invert mask" }),
      element("input", { id: "invert", type: "checkbox", checked: mask.invert === true,
        onchange: (event) => withMask({ ...mask, invert: event.target.checked }) })));
    rows.push(element("div", { className: "setting" },
      element("label", { htmlFor: "coverage", textContent: "Show mask in red", title: "Show the mask (M)" }),
      element("input", { id: "coverage", type: "checkbox", checked: page.showsMask === true,
        onchange: toggleCoverage })));
  }
  paintMask(step, shapes[shape]?.hasHandles ? mask : null);
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
