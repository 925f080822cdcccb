// The place of a step's frame in the picture that is shown. Later steps that crop, turn or bend the photo move it.

import { Homography } from "/homography.js";
import { announce, filterOf, isOn, page, steps, valueOf, when } from "/state.js";
import { title } from "/words.js";

// The frame of one step as last reported: its map from the upright photo, its size in pixels, or the reason why it
// is not known. `key` names the step and the state of the edit.
let known = { key: "", subject: "" };
let asked = { key: "", number: 0 };

// Filters that trim the photo, or enlarge its frame, by what they find in it.
const mountings = ["product", "shadow"];

const keepsShape = (step) => {
  const filter = filterOf(step.raw);
  if (!filter) return true;
  const isScaled = filter.name === "resize"
    && [valueOf(step, "width", null, "photo"), valueOf(step, "height", null, "photo")].some(({ value }) => value == null);
  return filter.category !== "geometry" || isScaled;
};

// The steps whose results the mask of `step` does not see.
export function laterThan(step) {
  const all = steps();
  const chain = all.filter(({ place }) => !place || !step.place || place === step.place);
  return chain.slice(chain.findIndex(({ key }) => key === step.key) + 1);
}

// Settings that turn off steps, as far as no other step has the same name.
function off(chosen) {
  const others = new Set(steps().filter((other) => !chosen.some(({ key }) => key === other.key)).map(({ id }) => id));
  return Object.fromEntries(chosen.filter(({ id }) => !others.has(id)).map(({ id }) => [`${id}.enabled`, false]));
}

// Turns off the step, all later ones, and those of other outputs: the picture is then the step's frame.
const before = (step) => off([step, ...laterThan(step),
  ...steps().filter(({ place }) => step.place && place && place !== step.place)]);

// Turns off the step, and the later ones that change the frame or its size: the picture then has the step's frame.
export const withoutFrame = (step) => off([step, ...laterThan(step).filter(({ raw }) =>
  filterOf(raw)?.category === "geometry" || mountings.includes(raw.filter))]);

// The map from the step's frame to the picture, both 0…1, and the size of the step's frame in pixels; `reason` if there
// is none; null if it is not known yet. `note` says how far the map is right.
export function placeOf(step) {
  const { stage } = page;
  if (!stage.full) return null;
  if (stage.isWhole) return { reason: "The handles of the mask are shown in the whole photo, not at 1:1." };
  if (step.place && page.output && page.output !== step.place) {
    return { reason: `The step belongs to the output ${step.place}; choose this output below the photo to see the handles of its mask.` };
  }
  const later = laterThan(step).filter((other) => isOn(other, "photo"));
  const mounting = later.find(({ raw }) => mountings.includes(raw.filter));
  if (mounting) {
    return { reason: `The step ${title(mounting.id)} places the photo in another frame; turn it off to see the handles of the mask.` };
  }
  if (later.every(keepsShape)) return { map: new Homography(), size: stage.full };
  ask(step);
  if (known.subject !== `${page.photo?.id} ${step.key}`) return null;
  if (known.reason) return known;
  if (!stage.frame || !known.frame) {
    return { reason: "An external program makes the picture, so its place in the photo is not known; turn off the later steps that crop or turn the photo to see the handles." };
  }
  const lens = later.find(({ raw }) => raw.filter === "lens");
  const note = lens ? "A lens correction follows this step. The handles are in the right place only where it does not bend the photo." : "";
  return { map: new Homography(stage.frame).after(new Homography(known.frame).inverse), size: known.size, note };
}

// Asks for the frame of a step, once for each state of the edit. A small picture is enough.
function ask(step) {
  const key = [page.photo?.id, step.key, page.edit.revision, page.output, page.scope].join(" ");
  if (key === known.key || key === asked.key) return;
  asked = { key, subject: `${page.photo?.id} ${step.key}`, number: page.stage.ask({ moving: true, pane: 4, box: [64, 64],
    part: undefined, mask: undefined, set: before(step), own: true }) };
}

const take = (number, facts) => {
  if (number !== asked.number) return;
  known = { key: asked.key, subject: asked.subject, ...facts };
  announce("placed");
};

when("frame", (head) => take(head.number, { frame: head.frame, size: [head.fullWidth, head.fullHeight] }));
when("no-frame", (problem) => take(problem.number, { reason: `The place of the mask is not known: ${problem.message}` }));
// Requests that were not answered are lost with the connection.
when("connected", () => { asked = { key: "", number: 0 }; });
