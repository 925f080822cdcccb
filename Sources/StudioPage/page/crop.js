// Crops by a frame with handles.

import { ask, element } from "/dialogs.js";
import { change, setAll } from "/edits.js";
import { CropFrame } from "/frames.js";
import { applyTo, at, chosen, filledValue, leaveTools, page, paint, steps, valueOf, when } from "/state.js";
import { clamp } from "/svg.js";

let cropFrame;
// The number of changes by handles that are on their way. The frame is then ahead of the edit.
let pending = 0;

const percent = (value, digits) => `${Number((100 * value).toFixed(digits))}%`;

// The places, 0…1, to which the gravity moves what is kept.
const gravities = { center: [0.5, 0.5], west: [0, 0.5], east: [1, 0.5], north: [0.5, 0], south: [0.5, 1],
  northwest: [0, 0], northeast: [1, 0], southwest: [0, 1], southeast: [1, 1] };
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

// The number that an aspect such as "3:2" means; null if there is none.
function ratioOf(text) {
  const [, wide, tall] = /^([\d.]+):([\d.]+)$/.exec(text ?? "") ?? [];
  return tall ? wide / tall : null;
}

// The largest width and height, 0…1, with an aspect in a photo of `size` pixels.
function largest(aspect, size) {
  const ratio = aspect * size[1] / size[0];
  return [Math.min(1, ratio), Math.min(1, 1 / ratio)];
}

// True if the frame has the aspect, within the rounding of pixels and edges.
const hasAspect = ([, , width, height], aspect, [across, down]) =>
  Math.abs(width * across - aspect * height * down) <= Math.max(1, aspect) + 1e-4 * (across + aspect * down);

const gravityOf = (step) => gravities[valueOf(step, "gravity", "center").value] ?? gravities.center;

// The gravity that moves the largest frame with an aspect to the place of this frame; undefined if none does. A
// direction in which the photo leaves no room keeps its part of the gravity, for other photos.
function gravityAt(frame, step, aspect, size) {
  const tolerance = 0.002;
  const place = largest(aspect, size).map((length, axis) => {
    if (Math.abs(frame[axis + 2] - length) > tolerance) return null;
    const room = 1 - length;
    if (room < tolerance) return gravityOf(step)[axis];
    return [0, 0.5, 1].find((part) => Math.abs(part * room - frame[axis]) < tolerance) ?? null;
  });
  return Object.keys(gravities).find((name) => gravities[name].every((part, axis) => part === place[axis]));
}

// The rectangle that the step keeps of a photo of `size` pixels: [left, top, width, height], 0…1.
function frameOf(step, size) {
  const value = (name, fallback) => valueOf(step, name, fallback).value ?? fallback;
  const [gravity, aspect] = [gravityOf(step), ratioOf(value("aspect", ""))];
  if (aspect) {
    const lengths = largest(aspect, size);
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

// A frame in whole pixels, with an aspect as far as whole pixels have it.
function inPixels([left, top, width], aspect, [across, down]) {
  const wide = clamp(Math.round(width * across), 1, across);
  const tall = clamp(Math.round(wide / aspect), 1, down);
  const start = (share, edge, length) => clamp(Math.round(share * edge), 0, edge - length) / edge;
  return [start(left, across, wide), start(top, down, tall), wide / across, tall / down];
}

// The settings that give the step a frame in a photo of `size` pixels, with an aspect if there is one. Those that stay
// keep their spelling, and their parameter.
function settingsOf(step, given, aspect, size) {
  const frame = aspect ? inPixels(given, aspect, size) : given;
  const values = {};
  const dpi = valueOf(step, "dpi", 300).value;
  const has = (name) => valueOf(step, name, undefined).value != null;
  axes.forEach(([near, length, far], axis) => {
    const [start, extent] = [frame[axis], frame[axis + 2]];
    const now = { [near]: start, [length]: extent, [far]: 1 - start - extent };
    for (const name of has(far) ? [has(length) ? length : near, far] : [near, length]) {
      const [most, digits] = aspect ? [0.4 / size[axis], 4] : [1e-4, 2];
      values[name] = (written) =>
        (Math.abs(now[name] - share(written, size[axis], dpi)) < most ? written : percent(now[name], digits));
    }
  });
  return values;
}

const current = () => steps().find((other) => other.key === page.crop?.step.key) ?? page.crop?.step;

// The aspect that a frame keeps while it is moved: that of the step. Edges that a photo has in place of the recipe's aspect
// keep that one, too, until they leave it.
function keptAspect(step, frame, size) {
  const stated = ratioOf(valueOf(step, "aspect", null).value);
  if (stated) return stated;
  const recipe = ratioOf(filledValue(step, "aspect"));
  return recipe && hasAspect(frame, recipe, size) ? recipe : null;
}

// Asks whether the edges of a frame are meant for all photos: "recipe", for this one: "photo", or null for neither.
const askScope = (aspect) => ask(`Leave the aspect ${aspect}?`, element("p", { textContent:
  "A crop with an aspect keeps the largest part of each photo, in the middle or at a side. Only edges can keep this frame,"
  + " and with them, photos of another shape get another aspect." }),
[["Cancel", null], ["Edges for all photos", "recipe"], ["Edges for this photo", "photo", true]]);

// The settings that give the step the frame: a gravity if that suffices, else edges; null if the user cancels.
async function settingsFor(step, frame, size) {
  const { value: text } = valueOf(step, "aspect", null);
  const aspect = ratioOf(text);
  const gravity = aspect && hasAspect(frame, aspect, size) ? gravityAt(frame, step, aspect, size) : undefined;
  if (gravity) return gravities[gravity] === gravityOf(step) ? {} : { gravity };
  if (aspect && page.scope === "recipe") {
    const answer = await askScope(text);
    if (!answer) return null;
    if (answer === "photo") applyTo("photo");
  }
  const kept = keptAspect(step, frame, size);
  return settingsOf(step, frame, kept && hasAspect(frame, kept, size) ? kept : null, size);
}

// Writes the frame to the step: as a gravity if that suffices, else as edges.
async function keep(frame) {
  page.crop.frame = frame;
  pending += 1;
  const size = page.stage.full;
  try { await setAll(current(), "Crop", (step) => settingsFor(step, frame, size)); } finally { pending -= 1; }
  follow();
}

// Says how many pixels the frame has while a handle moves.
function tell([, , width, height]) {
  if (!page.stage.full) return;
  const [across, down] = page.stage.full;
  at("facts").textContent = `${Math.round(width * across)} × ${Math.round(height * down)}`;
}

// The ratio of width and height, both 0…1, that the frame keeps; null if it keeps none.
function keptRatio() {
  const [across, down] = page.stage.full;
  const aspect = keptAspect(current(), page.crop.frame, page.stage.full);
  return aspect && aspect * down / across;
}

const show = () => cropFrame.show(page.crop.frame, keptRatio());

// Shows the frame that the step has after another change, such as undo.
function follow() {
  if (!page.crop?.frame || !page.stage.full || pending) return;
  const step = steps().find(({ key }) => key === page.crop.step.key);
  if (!step) { leaveTools(); return; }
  const frame = frameOf(step, page.stage.full);
  if (frame.every((side, index) => Math.abs(side - page.crop.frame[index]) < 1e-4)) {
    cropFrame.ratio = keptRatio();
    return;
  }
  page.crop.frame = frame;
  show();
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
  cropFrame ??= new CropFrame(at("overlay"), tell, keep);
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
  show();
});
