// The settings of the chosen step.

import { control } from "/controls.js";
import { element } from "/dialogs.js";
import { move, set, unset } from "/edits.js";
import { refill } from "/focus.js";
import { blending } from "/masks.js";
import { parameterRows } from "/parameters.js";
import { isAnyMoving, isHeld, whenRested } from "/pending.js";
import { pickers } from "/pickers.js";
import { filterNameOf } from "/steps.js";
import { at, chosen, filterOf, page, parametersKey, valueOf, when } from "/state.js";
import { title } from "/words.js";

// What the controls are for. While one of them moves, the others stay as they are: new ones would lose the movement.
const subject = () => [page.photo?.id, page.scope, page.step].join(" ");
let present = "";
let isDue = false;
// The names of the settings below "More settings".
let more = [];
const repaint = () => { if (isDue) show(); };
whenRested(repaint);
for (const end of ["pointerup", "pointercancel"]) {
  // The change of a slider follows this event.
  addEventListener(end, () => { setTimeout(repaint); });
}

when("paint", () => {
  isDue = subject() === present && (isHeld() || isAnyMoving());
  if (!isDue) show();
});

function show() {
  isDue = false;
  const isSame = present === subject();
  present = subject();
  const step = chosen();
  const box = at("settings");
  const filter = filterOf(step?.raw);
  if (page.step === parametersKey) {
    at("controls-title").textContent = "Parameters";
    return refill(box, parameterRows(), isSame);
  }
  at("controls-title").textContent = step ? [title(step.id), filterNameOf(step)].filter(Boolean).join(" · ") : "Settings";
  if (!step || !filter) {
    refill(box, [element("p", { textContent: step ? "This step has no settings here." : "Choose a step, or add one." })], isSame);
    return;
  }
  const isOpen = box.querySelector("details.more")?.open && box.dataset.step === step.key;
  box.dataset.step = step.key;
  const values = new Map(filter.settings.map(({ name, default: usual }) => [name, valueOf(step, name, usual)]));
  const isPlain = (name) => values.get(name).origin === "";
  const names = [...values.keys()];
  // While a step is chosen, its settings stay where they are, except that closed ones come into sight when they change.
  if (!isSame || !more.every((name) => values.has(name))) {
    more = names.length > 6 ? names.filter(isPlain) : [];
    if (more.length === names.length) more = names.slice(5);
  }
  if (!isOpen) more = more.filter(isPlain);
  const rows = filter.settings.map((setting) => [more.includes(setting.name), control(setting, values.get(setting.name), {
    moved: (value) => move(step, setting.name, value),
    set: (value) => set(step, setting.name, value),
    reset: () => unset(step, setting.name),
  })]);
  const shown = [false, true].map((isMore) => rows.filter((row) => row[0] === isMore).map(([, row]) => row));
  const parts = [element("p", { className: "origin", textContent: filter.summary })];
  parts.push(...shown[0]);
  if (shown[1].length) {
    const details = element("details", { className: "more" }, element("summary", { textContent: `More settings (${shown[1].length})` }),
      ...shown[1]);
    details.open = Boolean(isOpen);
    parts.push(details);
  }
  parts.push(...pickers(step, filter));
  if (filter.category !== "geometry") parts.push(...blending(step));
  refill(box, parts, isSame);
}
