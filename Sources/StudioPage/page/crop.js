// Crops by a frame with handles.

import { ask, element } from "/dialogs.js";
import { change, setAll } from "/edits.js";
import { CropFrame } from "/frames.js";
import { at, chosen, leaveTools, page, paint, steps, valueOf, when } from "/state.js";
import { clamp } from "/svg.js";

let cropFrame;
// The number of changes by handles that are on their way. The frame is then ahead of the edit.
let pending = 0;

const percent = (value) => `${Number((100 * value).toFixed(2))}%`;

// The places, 0…1, to which the gravity moves what is kept.
const gravities = { west: [0, 0.5], east: [1, 0.5], north: [0.5, 0], south: [0.5, 1], northwest: [0, 0], northeast: [1, 0],
  southwest: [0, 1], southeast: [1, 1] };
// The units of lengths on paper, in inches.
const units = { in: 1, cm: 1 / 2.54, mm: 1 / 25.4, pt: 1 / 72 };
// The settings of each axis: the distance from the near edge, the length, and the distance from the far edge.
const axes = [["left", "width", "right"], ["top", "height", "bottom"]];

// The share of a length in an edge of so many pixels; undefined if the step does not state it.
function share(value, pixels, dpi) {
  if (typeof value === "number") return value < 1 ? value : value / pixels;
  const [, number, unit] = /^([\d.]+) *(%|px|in|cm|mm|pt)$/.exec(value ?? "") ?? [];
  if (number === undefined) return undefined;
  if (unit === "%") return number / 100;
  return number * (unit === "px" ? 1 : units[unit] * dpi) / pixels;
}

// The rectangle that the step keeps of a photo of `size` pixels: [left, top, width, height], 0…1.
function frameOf(step, size) {
  const value = (name, fallback) => valueOf(step, name, fallback).value ?? fallback;
  const gravity = gravities[value("gravity", "center")] ?? [0.5, 0.5];
  const [, wide, tall] = /^([\d.]+):([\d.]+)$/.exec(value("aspect", "")) ?? [];
  if (tall) {
    const ratio = wide / tall * size[1] / size[0];
    const lengths = [Math.min(1, ratio), Math.min(1, 1 / ratio)];
    return [...lengths.map((length, axis) => gravity[axis] * (1 - length)), ...lengths];
  }
  const sides = axes.map((names, axis) => {
    const [near, given, far] = names.map((name) => share(value(name), size[axis], value("dpi", 300)));
    const wanted = given ?? 1 - (near ?? 0) - (far ?? 0);
    // The filter keeps the part of the frame inside the photo, and at least one pixel.
    const least = 1 / size[axis];
    const start = near ?? (far === undefined ? undefined : Math.max(0, 1 - far - wanted));
    const first = start === undefined ? undefined : Math.min(start, 1 - least);
    const length = clamp(wanted, least, 1 - (first ?? 0));
    return [first ?? gravity[axis] * (1 - length), length];
  });
  return [sides[0][0], sides[1][0], sides[0][1], sides[1][1]];
}

// The settings that give the step a frame in a photo of `size` pixels. Those that stay keep their spelling, and their
// parameter.
function settingsOf(step, frame, size) {
  const values = {};
  const dpi = valueOf(step, "dpi", 300).value;
  const has = (name) => valueOf(step, name, undefined).value != null;
  axes.forEach(([near, length, far], axis) => {
    const [start, extent] = [frame[axis], frame[axis + 2]];
    const now = { [near]: start, [length]: extent, [far]: 1 - start - extent };
    for (const name of has(far) ? [has(length) ? length : near, far] : [near, length]) {
      values[name] = (written) => (Math.abs(now[name] - share(written, size[axis], dpi)) < 1e-4 ? written : percent(now[name]));
    }
  });
  return values;
}

const current = () => steps().find((other) => other.key === page.crop?.step.key) ?? page.crop?.step;

// Makes a frame the values of the step.
async function keep(frame) {
  const step = current();
  page.crop.frame = frame;
  const values = settingsOf(step, frame, page.stage.full);
  pending += 1;
  try { await setAll(step, "Crop", values); } finally { pending -= 1; }
  follow();
}

// Shows the frame that the step has after another change, such as undo.
function follow() {
  if (!page.crop?.frame || !page.stage.full || pending) return;
  const step = steps().find(({ key }) => key === page.crop.step.key);
  if (!step) { leaveTools(); return; }
  const frame = frameOf(step, page.stage.full);
  if (frame.every((side, index) => Math.abs(side - page.crop.frame[index]) < 1e-4)) return;
  page.crop.frame = frame;
  cropFrame.show(frame);
}

export async function toggleCrop() {
  if (page.crop) { leaveTools(); paint(); return; }
  leaveTools();
  const isCrop = (other) => other?.raw.filter === "crop" && !other.place;
  let step = isCrop(chosen()) ? chosen() : steps().find(isCrop);
  if (!step) {
    const answer = await ask("Add a crop?", element("p", { textContent:
      "The recipe has no crop. A crop step for all photos is added; with 'This photo', its frame is this photo's own." }),
    [["Not now", false], ["Add", true, true]]);
    if (!answer) return;
    await change("Add crop", [{ add: { filter: "crop", left: "0%", top: "0%", width: "100%", height: "100%" }, place: 0 }]);
    step = steps().find((other) => other.raw.filter === "crop");
    if (!step) return;
  }
  if (page.stage.isWhole) page.stage.loupe();
  page.step = step.key;
  // The frame is known as soon as the photo before the crop is shown.
  page.crop = { step, frame: null };
  at("crop").setAttribute("aria-pressed", "true");
  at("overlay").classList.add("active");
  cropFrame ??= new CropFrame(at("overlay"), keep);
  page.stage.size = null;
  page.stage.rest();
  paint();
}

when("paint", follow);
when("leave", () => {
  if (!page.crop) return;
  const hadFocus = page.opening == null && at("overlay").contains(document.activeElement);
  cropFrame.hide();
  if (hadFocus) at("crop").focus();
  page.crop = null;
  at("crop").setAttribute("aria-pressed", "false");
  page.stage.size = null;
  page.stage.rest();
});
when("picture", (head) => {
  if (head.moving || !page.crop || head.number < page.stage.asked) return;
  if (!pending) page.crop.frame = frameOf(current(), page.stage.full);
  cropFrame.show(page.crop.frame);
});
