// The opacity and the mask of a step, by numbers and by handles.

import { control } from "/controls.js";
import { element } from "/dialogs.js";
import { move, set, unset } from "/edits.js";
import { MaskFrame } from "/frames.js";
import { at, chosen, filterOf, isOn, page, steps, valueOf, when } from "/state.js";

let maskFrame;
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
  const shape = mask ? ["linear", "radial", "polygon"].find((name) => name in mask) ?? "other" : "none";
  const starts = {
    linear: { linear: { from: [0.5, 0.7], to: [0.5, 0.3] } },
    radial: { radial: { center: [0.5, 0.5], radius: 0.6, feather: 0.5 } },
    polygon: { polygon: { points: [[0.3, 0.3], [0.7, 0.3], [0.7, 0.7], [0.3, 0.7]], feather: 0.05 } },
  };
  const select = element("select", { id: "mask", onchange: (event) => {
    if (event.target.value === "none") unset(step, "mask");
    else if (starts[event.target.value]) set(step, "mask", starts[event.target.value]);
  } });
  for (const name of ["none", "linear", "radial", "polygon", ...(shape === "other" ? ["other"] : [])]) {
    select.append(element("option", { value: name, textContent: name, selected: name === shape }));
  }
  rows.push(element("div", { className: "setting" },
    element("label", { htmlFor: "mask", textContent: "Mask" }),
    element("span", { className: "value" }, select),
    element("span", { className: facts.isOwn ? "origin own" : "origin", textContent: facts.origin })));
  const withMask = (next) => set(step, "mask", next);
  const field = (label, path, usual) => {
    const setting = { name: label, summary: label, usual, identity: null, schema: { type: "number" } };
    const write = (value) => {
      const next = structuredClone(mask);
      const keys = path.split(".");
      keys.slice(0, -1).reduce((inner, key) => inner[key], next)[keys.at(-1)] = value;
      return next;
    };
    rows.push(control(setting, { value: atPath(mask, path) ?? usual[0], origin: "", isSet: false }, {
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
  }
  if (mask) {
    rows.push(element("div", { className: "setting" },
      element("label", { htmlFor: "invert", textContent: "Invert mask" }),
      element("input", { id: "invert", type: "checkbox", checked: mask.invert === true,
        onchange: (event) => withMask({ ...mask, invert: event.target.checked }) })));
  }
  paintMask(step, shape === "none" || shape === "other" ? null : mask);
  return rows;
}

// Positions of masks count in the frame of their step. Handles are shown only where that is the
// frame of the picture.
function paintMask(step, mask) {
  if (page.crop || page.level) return;
  const changes = steps().some((other) =>
    filterOf(other.raw)?.category === "geometry" && other.raw.filter !== "resize" && isOn(other));
  if (!mask || changes || page.stage.isWhole) {
    maskFrame?.hide();
    at("overlay").classList.remove("active");
    return;
  }
  maskFrame ??= new MaskFrame(at("overlay"),
    (next) => move(chosen(), "mask", next), (next) => set(chosen(), "mask", next));
  requestAnimationFrame(() => { if (chosen()?.id === step.id && !page.crop) maskFrame.show(mask); });
}

when("leave", () => maskFrame?.hide());
when("picture", (head) => { if (!head.moving && !page.crop) maskFrame?.draw(); });
when("level", () => maskFrame?.hide());
