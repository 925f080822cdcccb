// Straightens the photo by a line that the user draws.

import { ask, element } from "/dialogs.js";
import { change, set } from "/edits.js";
import { LevelLine } from "/frames.js";
import { laterThan } from "/placement.js";
import { announce, at, chosen, isOn, leaveTools, page, paint, steps, valueOf, when } from "/state.js";

export async function toggleLevel() {
  if (page.level) { leaveTools(); paint(); return; }
  leaveTools();
  const levels = (other) => other?.raw.filter === "straighten" && !other.place;
  let step = levels(chosen()) ? chosen() : steps().find(levels);
  if (!step) {
    const answer = await ask("Add a step that straightens?", element("p", { textContent:
      "The recipe does not straighten. A step for all photos is added; with 'This photo', its angle is this photo's own." }),
    [["Not now", false], ["Add", true, true]]);
    if (!answer) return;
    await change("Add straighten", [{ add: { filter: "straighten", angle: 0 }, place: 0 }]);
    step = steps().find((other) => other.raw.filter === "straighten");
    if (!step) return;
  }
  if (page.stage.isWhole) page.stage.loupe();
  page.step = step.key;
  paint();
  announce("level");
  at("level").setAttribute("aria-pressed", "true");
  at("overlay").classList.add("active", "level");
  at("settings").querySelector("[data-setting=angle] input[type=range]")?.focus();
  page.level = new LevelLine(at("overlay"), (degrees) => {
    // A flip that follows turns the other way.
    const flips = laterThan(step).filter((other) => other.raw.filter === "flip" && isOn(other, "photo"));
    const angle = valueOf(step, "angle", 0, "photo").value + (flips.length % 2 ? -degrees : degrees);
    leaveTools();
    set(chosen(), "angle", Number(Math.min(45, Math.max(-45, angle)).toFixed(2)));
  });
}

when("leave", () => {
  page.level?.hide();
  page.level = null;
  at("level").setAttribute("aria-pressed", "false");
  at("overlay").classList.remove("active", "level");
});
