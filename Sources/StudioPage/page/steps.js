// The list of steps: turn on and off, choose, add, move and remove.

import { choose, element } from "/dialogs.js";
import { title } from "/controls.js";
import { change, set } from "/edits.js";
import { focusIn } from "/focus.js";
import { at, chosen, isOn, leaveTools, own, page, paint, steps, when } from "/state.js";

when("paint", () => {
  const mine = Object.keys(own()).map((key) => key.split(".")[0]);
  const items = steps().map((step) => {
    const [isHere, on] = [step.id === page.step, isOn(step)];
    const item = element("li", { className: `${isHere ? "chosen" : ""} ${on ? "" : "off"}` });
    item.dataset.step = step.id;
    const toggle = element("button", { className: "quiet", textContent: on ? "●" : "○",
      title: on ? "Turn off" : "Turn on", onclick: () => set(step, "enabled", !on) });
    toggle.setAttribute("aria-label", `${step.id}, ${on ? "turn off" : "turn on"}`);
    const name = element("button", { className: "name",
      textContent: step.place ? `${title(step.id)} (${step.place})` : title(step.id),
      onclick: () => { page.step = step.id; leaveTools(); paint(); } });
    name.setAttribute("aria-current", String(isHere));
    item.append(toggle, name);
    if (mine.includes(step.id)) {
      item.append(element("span", { className: "dot", textContent: "•", title: "This photo has its own settings here" }));
    }
    const place = page.edit.filters.findIndex((raw) => (raw.id ?? raw.filter) === step.id);
    const small = (text, label, action) => {
      const button = element("button", { className: "small", textContent: text, title: label, onclick: action });
      button.setAttribute("aria-label", `${label}: ${step.id}`);
      item.append(button);
    };
    if (isHere && page.edit.ownSteps.includes(step.id)) {
      if (place > 0) small("↑", "Move up", () => change("Move step", [{ move: step.id, place: place - 1 }]));
      if (place >= 0 && place < page.edit.filters.length - 1) {
        small("↓", "Move down", () => change("Move step", [{ move: step.id, place: place + 1 }]));
      }
      small("✕", "Remove", () => change(`Remove ${step.id}`, [{ remove: step.id }]));
    }
    return item;
  });
  const focus = focusIn(at("step-list"));
  at("step-list").replaceChildren(...items);
  focus();
});

export async function addStep() {
  const filter = await choose("Add a step", page.session.filters, (entry) =>
    [title(entry.name), `${entry.category}: ${entry.summary}`]);
  if (!filter) return;
  const known = steps().map((step) => step.id);
  const step = { filter: filter.name };
  for (let number = 2; known.includes(step.id ?? step.filter); number += 1) step.id = `${filter.name}-${number}`;
  await change(`Add ${title(filter.name).toLowerCase()}`, [{ add: step, place: page.edit.filters.length }]);
  page.step = step.id ?? step.filter;
  paint();
  at("settings").querySelector("input")?.focus();
}
