// Crops by a frame with handles.

import { ask, element } from "/dialogs.js";
import { change, setAll } from "/edits.js";
import { CropFrame } from "/frames.js";
import { at, leaveTools, page, paint, steps, valueOf, when } from "/state.js";

let cropFrame;
// The number of changes by handles that are on their way. The frame is then ahead of the edit.
let pending = 0;

const percent = (value) => `${Number((100 * value).toFixed(2))}%`;
const share = (value, fallback) => {
  if (typeof value === "number") return value < 1 ? value : fallback;
  const match = /^([\d.]+)%$/.exec(value ?? "");
  return match ? Number(match[1]) / 100 : fallback;
};

function frameOf(step) {
  const value = (name, fallback) => share(valueOf(step, name, undefined).value, fallback);
  const [left, top] = [value("left", 0), value("top", 0)];
  return [left, top, value("width", 1 - left), value("height", 1 - top)];
}

const current = () => steps().find((other) => other.key === page.crop?.step.key) ?? page.crop?.step;

// Makes a frame the values of the step.
async function keep(frame) {
  const [step, before] = [current(), page.crop.frame];
  page.crop.frame = frame;
  const values = {};
  ["left", "top", "width", "height"].forEach((name, index) => {
    // A side that stays where it is keeps its spelling, and its parameter.
    const isWritten = valueOf(step, name, undefined).value !== undefined;
    const stays = isWritten && Math.abs(frame[index] - before[index]) < 1e-4;
    if (!stays) values[name] = percent(frame[index]);
  });
  if (step.raw.aspect !== undefined) values.aspect = null;
  pending += 1;
  try { await setAll(step, "Crop", values); } finally { pending -= 1; }
  follow();
}

// Shows the frame that the step has after another change, such as undo.
function follow() {
  if (!page.crop || pending) return;
  const step = steps().find(({ key }) => key === page.crop.step.key);
  if (!step) { leaveTools(); return; }
  const frame = frameOf(step);
  if (frame.every((side, index) => Math.abs(side - page.crop.frame[index]) < 1e-4)) return;
  page.crop.frame = frame;
  cropFrame.show(frame);
}

export async function toggleCrop() {
  if (page.crop) { leaveTools(); paint(); return; }
  leaveTools();
  let step = steps().find((other) => other.raw.filter === "crop" && !other.place);
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
  page.crop = { step, frame: frameOf(step) };
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
  cropFrame.hide();
  page.crop = null;
  at("crop").setAttribute("aria-pressed", "false");
  page.stage.size = null;
  page.stage.rest();
});
when("picture", (head) => { if (!head.moving && page.crop) cropFrame.show(page.crop.frame); });
