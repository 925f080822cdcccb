// The list of steps: turn on and off, choose, add, move and remove.

import { choose, element } from "/dialogs.js";
import { change, set } from "/edits.js";
import { controls, refill } from "/focus.js";
import { say } from "/messages.js";
import { at, chosen, isOn, leaveTools, own, page, paint, parametersKey, steps, when } from "/state.js";
import { inText, title } from "/words.js";

// True if this recipe determines the place of a step: its base recipe does not have the step.
const isMovable = (step) => step !== undefined && page.edit.ownSteps.includes(step.key)
  && !page.edit.inherited.includes(step.key);

// The filter's name of a step that has a name of its own; empty for others.
export const filterNameOf = ({ id, raw }) => (!raw.filter || id === raw.filter ? "" : title(raw.filter));

// An entry of the list: a step, with the name of its filter if that is another one, or the parameters.
function entry(key, text, filter, hasOwn) {
  const isHere = key === page.step;
  const item = element("li", { className: isHere ? "chosen" : "" });
  item.dataset.step = key;
  const name = element("button", { className: "name", textContent: text,
    onclick: () => { page.step = key; leaveTools(); paint(); } });
  name.setAttribute("aria-current", String(isHere));
  if (filter) name.append(element("small", { textContent: filter }));
  item.append(name);
  if (hasOwn) {
    item.append(element("span", { className: "dot", textContent: "•", title: "This photo has its own settings here" }));
  }
  return item;
}

// Chooses another step if the chosen one was removed; its name gets the focus of a button that is no longer there.
function focusStep(other) {
  if (!chosen() && steps().some(({ key }) => key === other)) {
    page.step = other;
    paint();
  }
  if (document.activeElement !== document.body) return;
  (at("step-list").querySelector("li.chosen .name") ?? at("add")).focus();
}

// Says that a change of the list of steps is one for all photos, if the user changes only this photo.
function sayForAll(done) {
  if (page.scope === "photo") say(`${done} in the recipe, for all photos.`);
}

const fullName = (step) => (step.place ? `${step.id} (${step.place})` : step.id);

function stepEntry(step, mine) {
  const on = isOn(step);
  const item = entry(step.key, step.place ? `${title(step.id)} (${step.place})` : title(step.id),
    filterNameOf(step), mine.some((key) => key.startsWith(`${step.id}.`)));
  item.classList.toggle("off", !on);
  const toggle = element("button", { className: "quiet", textContent: on ? "●" : "○",
    title: on ? "Turn off" : "Turn on", onclick: () => set(step, "enabled", (now) => now === false) });
  toggle.dataset.control = `turn ${step.key} on or off`;
  toggle.setAttribute("aria-label", `${fullName(step)}, ${on ? "turn off" : "turn on"}`);
  item.prepend(toggle);
  return item;
}

// The buttons that move and remove the chosen step. They have one place for all steps, and those without an effect are
// dimmed, so that nothing moves when another step is chosen.
function stepActions() {
  const step = chosen();
  const around = () => {
    const list = steps().filter((other) => other.place === step.place);
    const index = list.findIndex((other) => other.key === step.key);
    return [list[index - 1], list[index + 1], list[index + 2]];
  };
  // `operation` returns the operation for the state that the changes before have left; null if there is none.
  const action = (text, label, made, done, operation) => {
    const wanted = () => (step && page.edit.ownSteps.includes(step.key) ? operation() : null);
    const isPossible = wanted() !== null;
    const button = element("button", { className: "quiet", textContent: text, title: label,
      onclick: async ({ detail }) => {
        // After the first click of a double click, another step is chosen.
        if (!isPossible || detail > 1) return;
        const [previous, next] = around();
        const isMade = await change(made, () => {
          const found = wanted();
          return found ? [{ ...found, output: step.place ?? undefined }] : [];
        });
        if (isMade) sayForAll(done);
        focusStep((next ?? previous)?.key);
      } });
    button.setAttribute("aria-label", step ? `${label}: ${fullName(step)}` : label);
    button.setAttribute("aria-disabled", String(!isPossible));
    return button;
  };
  const move = (beside, before) =>
    (isMovable(step) && isMovable(beside) ? { move: step.id, before: before?.id ?? null } : null);
  const isInherited = page.edit.inherited.includes(step?.key);
  return [
    action("↑", "Move up", "Move step", "Moved", () => move(around()[0], around()[0])),
    action("↓", "Move down", "Move step", "Moved", () => move(around()[1], around()[2])),
    action("✕", isInherited ? "Remove the changes" : "Remove", `Remove ${step?.id}`, "Removed",
      () => ({ remove: step.id })),
  ];
}

when("paint", () => {
  const mine = Object.keys(own());
  const items = steps().map((step) => stepEntry(step, mine));
  if (page.edit.parameters.length) {
    items.unshift(entry(parametersKey, "Parameters", "", mine.some((key) => !key.includes("."))));
  }
  refill(at("step-list"), items);
  refill(at("step-actions"), stepActions());
});

export async function addStep() {
  const filter = await choose("Add a step", page.session.filters, (entry) =>
    [title(entry.name), `${entry.category}: ${entry.summary}`, entry.name]);
  if (!filter) return;
  const known = steps().map((step) => step.id);
  const step = { filter: filter.name };
  for (let number = 2; known.includes(step.id ?? step.filter); number += 1) step.id = `${filter.name}-${number}`;
  const isMade = await change(`Add ${inText(filter.name)}`, [{ add: step, place: page.edit.filters.length }]);
  page.step = step.id ?? step.filter;
  paint();
  [...at("settings").querySelectorAll(controls)].find((control) => control.checkVisibility())?.focus();
  if (isMade) sayForAll("Added");
}
