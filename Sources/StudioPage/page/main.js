// The page: what is open, what is chosen, and what the buttons and keys do.

import { ask, choose, element, tell } from "/dialogs.js";
import { Live, get, post } from "/server.js";
import { control, settle, title } from "/controls.js";
import { CropFrame, LevelLine, MaskFrame } from "/frames.js";
import { Stage } from "/stage.js";
import { Strip } from "/strip.js";

const at = (id) => document.getElementById(id);
const page = { session: null, edit: null, photo: null, number: 0, scope: "recipe", step: null };
let live, stage, strip, cropFrame, maskFrame;

// ---- What is known

const filterOf = (step) => page.session.filters.find((filter) => filter.name === step?.filter);
const steps = () => [
  ...page.edit.filters.map((raw) => ({ raw, id: raw.id ?? raw.filter, place: null })),
  ...page.edit.outputs.flatMap((output) => output.filters.map((raw) =>
    ({ raw, id: raw.id ?? raw.filter, place: output.name }))),
];
const chosen = () => steps().find((step) => step.id === page.step);
const own = () => page.edit.own[page.photo?.id] ?? page.photo?.own ?? {};
const isParameter = (value) => typeof value === "string" && value.includes("${");
const atPath = (object, path) => path.split(".").reduce((inner, key) => inner?.[key], object);

// The value of a setting of a step, and where it comes from.
function valueOf(step, name, fallback) {
  const key = `${step.id}.${name}`;
  const mine = own();
  if (key in mine) {
    return { value: mine[key] ?? fallback, origin: "this photo", isOwn: true, isSet: page.scope === "photo" };
  }
  const written = step.raw[name];
  if (written === undefined) return { value: fallback, origin: "", isSet: false };
  if (isParameter(written)) {
    const resolved = page.edit.resolved.find((other) => (other.id ?? other.filter) === step.id);
    return { value: resolved?.[name] ?? fallback, origin: `parameter ${written}`, isSet: page.scope === "recipe" };
  }
  const isOwnStep = page.edit.ownSteps.includes(step.id);
  return { value: written, origin: isOwnStep ? "recipe" : "base recipe",
    isSet: page.scope === "recipe" && isOwnStep };
}

const isOn = (step) => valueOf(step, "enabled", true).value !== false;

// ---- Changes

async function attempt(body) {
  try { return await body(); } catch (error) {
    await tell("That was not possible", error.message, error.hint);
    return null;
  }
}

// Takes a state of the edit, unless the page has a later one: answers and messages can overtake each
// other.
function take(edit) {
  if (edit.revision < page.edit.revision) return;
  page.edit = edit;
  if (page.step && !chosen()) page.step = null;
  paint();
}

// Sends changes of the edit in the order in which they were made.
let sent = Promise.resolve();
function send(path, body) {
  const answer = sent.then(() => post(path, body));
  sent = answer.catch(() => {});
  return answer;
}

const inScope = () => (page.scope === "photo" && page.photo ? [page.photo.id] : undefined);

// Without photos, the recipe is changed.
async function change(label, operations, photos) {
  try {
    take(await send("/api/edit", { label, operations, photos }));
  } catch (error) {
    at("live").textContent = error.message;
    at("message").textContent = `${error.message} ${error.hint}`;
    paint();
  }
  stage.rest();
}

const scopeChange = (label, operations) => change(label, operations, inScope());

const set = (step, name, value) =>
  scopeChange(title(name.split(".")[0]), [{ set: `${step.id}.${name}`, value }]);
const unset = (step, name) =>
  scopeChange(`Reset ${title(name).toLowerCase()}`, [{ unset: `${step.id}.${name}` }]);
const move = (step, name, value) =>
  stage.move({ [`${step.id}.${name}`]: value }, page.scope === "photo");

// ---- Painting

function paint() {
  const { edit, photo } = page;
  const unsaved = edit.unsaved.recipe || edit.unsaved.photos.length > 0;
  at("undo").disabled = !edit.undo;
  at("redo").disabled = !edit.redo;
  at("undo").title = edit.undo ? `Undo: ${edit.undo} (Ctrl+Z)` : "Nothing to undo";
  at("redo").title = edit.redo ? `Redo: ${edit.redo} (Ctrl+Shift+Z)` : "Nothing to redo";
  at("save").disabled = !unsaved || page.session.readOnly;
  at("done").disabled = page.session.readOnly && unsaved;
  at("previous").disabled = page.number <= 0;
  at("next").disabled = page.number >= page.session.total - 1;
  at("name").textContent = photo ? photo.name : page.session.library;
  at("continues").textContent = photo
    ? `· ${photo.base ? `continues from ${photo.base}` : "from the original"} · ${page.session.name}${unsaved ? " · not saved" : ""}`
    : "";
  at("title").title = photo?.path ?? "";
  document.title = `${unsaved ? "• " : ""}${photo?.name ?? "phbatch studio"} – phbatch studio`;
  at("reset").disabled = !photo || Object.keys(own()).length === 0;
  at("copy").disabled = !photo;
  at("paste").disabled = at("paste-to").disabled = !page.copied;
  paintSteps();
  paintControls();
}

function paintSteps() {
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
}

// Remembers which control has the focus, by its label, and gives it back after a repaint.
function focusIn(box) {
  const active = document.activeElement;
  if (!box.contains(active)) return () => {};
  const name = active.getAttribute("aria-label") || active.id || active.textContent;
  return () => {
    [...box.querySelectorAll("button, input, select, [tabindex]")].find((other) =>
      (other.getAttribute("aria-label") || other.id || other.textContent) === name)?.focus();
  };
}

function paintControls() {
  const step = chosen();
  const box = at("settings");
  const filter = filterOf(step?.raw);
  at("controls-title").textContent = step ? title(step.id) : "Settings";
  if (!step || !filter) {
    box.replaceChildren(element("p", { textContent: step ? "This step has no settings here." : "Choose a step, or add one." }));
    return;
  }
  const isOpen = box.querySelector("details")?.open && box.dataset.step === step.id;
  box.dataset.step = step.id;
  const rows = filter.settings.map((setting) => {
    const facts = valueOf(step, setting.name, setting.default);
    const isPlain = facts.origin === "" && filter.settings.length > 6;
    return [isPlain, control(setting, facts, {
      moved: (value) => move(step, setting.name, value),
      set: (value) => set(step, setting.name, value),
      reset: () => unset(step, setting.name),
    })];
  });
  const [first, more] = [rows.filter(([isPlain]) => !isPlain), rows.filter(([isPlain]) => isPlain)];
  const shown = first.length ? [first, more] : [rows.slice(0, 5), rows.slice(5)];
  const focus = focusIn(box);
  const parts = [element("p", { className: "origin", textContent: filter.summary })];
  parts.push(...shown[0].map(([, row]) => row));
  if (shown[1].length) {
    const details = element("details", {}, element("summary", { textContent: `More settings (${shown[1].length})` }),
      ...shown[1].map(([, row]) => row));
    details.open = Boolean(isOpen);
    parts.push(details);
  }
  if (filter.category !== "geometry") parts.push(...blending(step));
  box.replaceChildren(...parts);
  focus();
}

// The opacity and the mask, which all steps have that keep the frame.
function blending(step) {
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
  if (!mask || changes || stage.isWhole) {
    maskFrame?.hide();
    at("overlay").classList.remove("active");
    return;
  }
  maskFrame ??= new MaskFrame(at("overlay"),
    (next) => move(chosen(), "mask", next), (next) => set(chosen(), "mask", next));
  requestAnimationFrame(() => { if (chosen()?.id === step.id && !page.crop) maskFrame.show(mask); });
}

// ---- Photos

async function open(number) {
  await settle();
  if (number < 0 || number >= page.session.total || page.opening === number) return;
  page.opening = number;
  leaveTools();
  const listed = await strip.photo(number);
  if (page.opening !== number) return;
  if (!listed) { page.opening = null; return; }
  page.number = number;
  page.photo = { ...listed, own: page.photo?.id === listed.id ? page.photo.own : {} };
  strip.select(number);
  stage.open();
  at("message").textContent = "";
  try {
    const photo = await get(`/api/photos/${listed.id}`);
    if (page.opening !== number) return;
    page.photo = photo;
    if (photo.problem) at("message").textContent = `${photo.problem.message} ${photo.problem.hint}`;
    at("live").textContent = `${photo.name}, ${number + 1} of ${page.session.total}`;
  } catch (error) {
    at("message").textContent = error.message;
  } finally {
    if (page.opening === number) page.opening = null;
  }
  paint();
}

// ---- Crop

const percent = (value) => `${Number((100 * value).toFixed(2))}%`;
const share = (value, fallback) => {
  if (typeof value === "number") return value < 1 ? value : fallback;
  const match = /^([\d.]+)%$/.exec(value ?? "");
  return match ? Number(match[1]) / 100 : fallback;
};

async function toggleCrop() {
  if (page.crop) { leaveTools(); paint(); return; }
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
  if (stage.isWhole) stage.loupe();
  page.step = step.id;
  const value = (name, fallback) => share(valueOf(step, name, undefined).value, fallback);
  const [left, top] = [value("left", 0), value("top", 0)];
  page.crop = { step, frame: [left, top, value("width", 1 - left), value("height", 1 - top)] };
  at("crop").setAttribute("aria-pressed", "true");
  at("overlay").classList.add("active");
  cropFrame ??= new CropFrame(at("overlay"), () => {}, (frame) => {
    page.crop.frame = frame;
    const [x, y, w, h] = frame;
    scopeChange("Crop", [["left", x], ["top", y], ["width", w], ["height", h]].map(([name, size]) =>
      ({ set: `${page.crop.step.id}.${name}`, value: percent(size) })).concat(
      step.raw.aspect !== undefined ? [{ set: `${step.id}.aspect`, value: null }] : []));
  });
  stage.size = null;
  stage.rest();
  paint();
}

// ---- Straighten

async function toggleLevel() {
  if (page.level) { leaveTools(); paint(); return; }
  leaveTools();
  let step = steps().find((other) => other.raw.filter === "straighten" && !other.place);
  if (!step) {
    const answer = await ask("Add a step that straightens?", element("p", { textContent:
      "The recipe does not straighten. A step for all photos is added; with 'This photo', its angle is this photo's own." }),
    [["Not now", false], ["Add", true, true]]);
    if (!answer) return;
    await change("Add straighten", [{ add: { filter: "straighten", angle: 0 }, place: 0 }]);
    step = steps().find((other) => other.raw.filter === "straighten");
    if (!step) return;
  }
  if (stage.isWhole) stage.loupe();
  page.step = step.id;
  paint();
  maskFrame?.hide();
  at("level").setAttribute("aria-pressed", "true");
  at("overlay").classList.add("active", "level");
  at("settings").querySelector("[data-setting=angle] input[type=range]")?.focus();
  page.level = new LevelLine(at("overlay"), (degrees) => {
    const angle = valueOf(step, "angle", 0).value + degrees;
    leaveTools();
    set(chosen(), "angle", Number(Math.min(45, Math.max(-45, angle)).toFixed(2)));
  });
}

function toggleLoupe() {
  leaveTools();
  stage.loupe();
  paint();
}

function leaveTools() {
  if (page.crop) {
    page.crop = null;
    at("crop").setAttribute("aria-pressed", "false");
    cropFrame.hide();
    stage.size = null;
    stage.rest();
  }
  page.level?.hide();
  page.level = null;
  at("level").setAttribute("aria-pressed", "false");
  at("overlay").classList.remove("active", "level");
  maskFrame?.hide();
}

// ---- Commands

async function addStep() {
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

async function save() {
  await settle();
  return attempt(async () => {
    const saved = await post("/api/save");
    strip.refresh();
    take(saved.edit);
    const parts = [saved.recipe ? "the recipe" : "",
      saved.photos ? `settings of ${saved.photos} ${saved.photos === 1 ? "photo" : "photos"}` : ""].filter(Boolean);
    at("live").textContent = at("message").textContent =
      parts.length ? `Saved ${parts.join(" and ")}.` : "Nothing had changed.";
    if (page.photo) page.photo = await get(`/api/photos/${page.photo.id}`);
    check();
    return true;
  });
}

// Asks before a run is stopped; true if there is none, or if it may be stopped.
const mayEnd = async () => !page.run || ask("Stop the run?",
  element("p", { textContent: "Photos that are finished stay; the others are rendered by the next run." }),
  [["Go on", false, true], ["Stop it", true]]);

async function end(text) {
  page.isEnding = true;
  await post("/api/end").catch(() => {});
  live.end();
  document.body.classList.add("over");
  document.body.append(element("div", { className: "ended", role: "status" },
    element("p", { textContent: `${text} You can close this tab.` })));
}

async function done() {
  await settle();
  if (!await mayEnd()) return;
  const { unsaved } = page.edit;
  if (unsaved.recipe || unsaved.photos.length) { if (!await save()) return; }
  await end("Saved.");
}

async function cancel() {
  await settle();
  if (!await mayEnd()) return;
  const { unsaved } = page.edit;
  if (unsaved.recipe || unsaved.photos.length) {
    const lost = [unsaved.recipe ? `the changes of ${page.session.recipe}` : "",
      unsaved.photos.length ? `the settings of ${unsaved.photos.length} ${unsaved.photos.length === 1 ? "photo" : "photos"}` : ""]
      .filter(Boolean).join(" and ");
    const answer = await ask("End without saving?",
      element("p", { textContent: `These will be lost: ${lost}.` }),
      [["Go on editing", false, true], ["Lose the changes", true]]);
    if (!answer) return;
  }
  await end("Nothing was saved.");
}

async function check() {
  try {
    page.due = (await get("/api/check")).due;
    strip.renew();
  } catch { page.due = null; }
  paintRun();
}

function paintRun() {
  const button = at("run");
  if (page.run) button.textContent = `Stop · ${page.run.done} of ${page.run.total}`;
  else if (page.due == null) button.textContent = "Check";
  else button.textContent = page.due ? `Run ${page.due} ▸` : "Up to date";
  button.disabled = !page.run && page.due === 0;
}

async function runOrStop() {
  if (page.run) return attempt(() => post("/api/stop"));
  if (page.due == null) return check();
  const { unsaved } = page.edit;
  if (unsaved.recipe || unsaved.photos.length) {
    const answer = await ask("Save first?", element("p", { textContent: "A run uses the saved recipe and settings." }),
      [["Not now", false], ["Save and run", true, true]]);
    if (!answer || !await save()) return null;
  }
  return attempt(async () => {
    await post("/api/run");
    page.run = { done: 0, total: page.due };
    paintRun();
  });
}

async function runEvent(run) {
  if (!run.ended) { page.run = run; paintRun(); return; }
  page.run = null;
  strip.refresh();
  const text = run.problem ? `${run.problem} ${run.hint}`
    : `${run.stopped ? "Stopped" : "Ran"}: ${run.done - run.failed} done, ${run.failed} failed.`;
  at("live").textContent = at("message").textContent = text;
  if (run.failures.length) await tell("Some photos failed", run.failures.join("\n"));
  check();
}

async function copy() {
  await settle();
  page.copied = { name: page.photo.name, settings: { ...own() } };
  at("live").textContent = at("message").textContent =
    `Copied ${Object.keys(page.copied.settings).length} own settings of ${page.photo.name}.`;
  paint();
}

async function paste(withChoice) {
  if (!page.copied) return;
  let keys = Object.keys(page.copied.settings);
  const numbers = strip.marked.size ? [...strip.marked] : [page.number];
  if (!keys.length) {
    await tell("Nothing to paste", `${page.copied.name} has no settings of its own.`);
    return;
  }
  if (withChoice) {
    page.ticks ??= {};
    const boxes = keys.map((key) => element("label", {}, element("input", { type: "checkbox", value: key,
      checked: page.ticks[key] ?? true }), ` ${key} = ${JSON.stringify(page.copied.settings[key])}`));
    const answer = await ask(`Paste to ${numbers.length} ${numbers.length === 1 ? "photo" : "photos"}`, boxes,
      [["Cancel", null], ["Paste", () => boxes.map((box) => box.firstElementChild)
        .map((box) => { page.ticks[box.value] = box.checked; return box; })
        .filter((box) => box.checked).map((box) => box.value), true]]);
    if (!answer) return;
    keys = answer;
  }
  if (!keys.length) return;
  await attempt(async () => {
    const listed = await Promise.all(numbers.map((number) => strip.photo(number)));
    take(await send("/api/edit", { label: `Paste to ${numbers.length}`, photos: listed.map((photo) => photo.id),
      operations: keys.map((key) => ({ set: key, value: page.copied.settings[key] })) }));
    strip.unmark();
    stage.rest();
  });
}

async function resetPhoto() {
  const keys = Object.keys(own());
  await change("Reset photo", keys.map((key) => ({ unset: key })), [page.photo.id]);
}

async function history() {
  const { text } = await attempt(() => get(`/api/history/${page.photo.id}`)) ?? {};
  if (text === undefined) return;
  const answer = await ask(`History of ${page.photo.name}`, element("pre", { textContent: text }),
    [["Revert the newest edit", "revert"], ["Close", null, true]]);
  if (answer !== "revert") return;
  const isSure = await ask("Revert?", element("p", { textContent:
    "The newest edit of this photo and its renditions are removed. 'phbatch undo' brings them back." }),
  [["Keep", false, true], ["Revert", true]]);
  if (isSure) {
    await attempt(async () => {
      take(await post(`/api/revert/${page.photo.id}`));
      strip.refresh();
      await open(page.number);
      check();
    });
  }
}

const keyList = [[", .", "previous and next photo"], ["G", "grid of photos"], ["Shift or Ctrl + click", "mark photos for pasting"],
  ["\\", "hold: before the edit"], ["S", "before and after with a divider"],
  ["D", "side by side"], ["C", "crop"], ["L", "straighten by a line or the slider"], ["Z", "the rendition's own pixels; arrows or dragging move them"], ["← →", "the slider with the focus; Shift: ten times"],
  ["Delete", "reset a slider"], ["Ctrl+Z, Ctrl+Shift+Z", "undo, redo"],
  ["Ctrl+C, Ctrl+V, Ctrl+Shift+V", "copy settings, paste, paste with choices"],
  ["Ctrl+S", "save"], ["Ctrl+Enter", "done"], ["?", "this list"]];

function showKeys() {
  return ask("Keys", element("table", {}, ...keyList.map(([key, text]) => element("tr", {},
    element("td", {}, element("kbd", { textContent: key })), element("td", { textContent: text })))),
  [["Close", null, true]]);
}

// ---- Keys

function listen() {
  const on = (id, action) => at(id).addEventListener("click", action);
  on("cancel", cancel); on("done", done); on("save", save); on("run", runOrStop);
  on("previous", () => open(page.number - 1)); on("next", () => open(page.number + 1));
  const step = (path) => attempt(async () => {
    await settle();
    take(await send(path));
    stage.rest();
  });
  on("undo", () => step("/api/undo")); on("redo", () => step("/api/redo"));
  on("add", addStep); on("keys", showKeys); on("copy", copy); on("history", history);
  on("paste", () => paste(false)); on("paste-to", () => paste(true)); on("reset", resetPhoto);
  on("before", () => stage.compare("before")); on("split", () => stage.compare("split"));
  on("beside", () => stage.compare("beside")); on("crop", toggleCrop); on("level", toggleLevel); on("loupe", toggleLoupe);
  for (const input of document.querySelectorAll("input[name=scope]")) {
    input.addEventListener("change", () => { page.scope = input.value; paint(); });
  }
  addEventListener("beforeunload", (event) => {
    const { unsaved } = page.edit;
    if (!page.isEnding && (unsaved.recipe || unsaved.photos.length)) event.preventDefault();
  });
  addEventListener("keydown", (event) => {
    const isTyping = event.target.matches?.("input:not([type=range]):not([type=radio]):not([type=checkbox]), select, textarea");
    if (document.querySelector("dialog[open]")) return;
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const take = (action) => { event.preventDefault(); action(); };
    if (control && key === "s") return take(save);
    if (control && key === "Enter") return take(done);
    if (isTyping && key === "Escape") return take(() => event.target.blur());
    if (isTyping) return;
    if (control && key === "z") return take(() => step(event.shiftKey ? "/api/redo" : "/api/undo"));
    if (control && key === "c" && !String(getSelection())) return take(copy);
    if (control && key === "v") return take(() => paste(event.shiftKey));
    if (control || event.altKey) return;
    if (key === ",") return take(() => open(page.number - 1));
    if (key === ".") return take(() => open(page.number + 1));
    if (key === "g") return take(() => strip.toggleGrid());
    if (key === "s") return take(() => stage.compare("split"));
    if (key === "d") return take(() => stage.compare("beside"));
    if (key === "c") return take(toggleCrop);
    if (key === "l") return take(toggleLevel);
    if (key === "z") return take(toggleLoupe);
    const way = { ArrowLeft: [-0.25, 0], ArrowRight: [0.25, 0], ArrowUp: [0, -0.25], ArrowDown: [0, 0.25] }[key];
    if (way && stage.isWhole && (event.target === document.body || event.target.id === "loupe")) {
      return take(() => stage.pan(...way));
    }
    if (key === "?") return take(showKeys);
    if (key === "Escape") return take(() => { leaveTools(); paint(); });
    if (key === "\\" && !event.repeat) return take(() => { if (stage.mode !== "before") stage.compare("before"); });
  });
  addEventListener("keyup", (event) => {
    if (event.key === "\\" && stage.mode === "before") stage.compare("before");
  });
}

// ---- Start

async function start() {
  try {
    page.session = await get("/api/session");
  } catch (error) {
    at("message").textContent = error.status === 401
      ? "This address lacks its key. Open the address that the terminal shows." : error.message;
    return;
  }
  page.edit = page.session.edit;
  let isFirst = true;
  live = new Live((message) => {
    if (message.hello) {
      if (isFirst) { isFirst = false; open(0); } else if (page.photo) stage.rest();
    }
    if (message.changed && message.changed.revision > page.edit.revision) {
      take(message.changed);
      stage.rest();
    }
    if (message.run) runEvent(message.run);
    if (message.problem && message.problem.photo === page.photo?.id) {
      at("message").textContent = `${message.problem.message} ${message.problem.hint}`;
    }
    if (message.lost) at("message").textContent = "The connection to the studio is lost; trying again.";
  }, (head, blob) => stage.see(head, blob));
  stage = new Stage(live, () => page.photo && {
    photo: page.photo.id, own: page.scope === "photo",
    set: page.crop ? { [`${page.crop.step.id}.enabled`]: false } : {},
  });
  stage.onpicture = (head) => {
    if (head.moving) return;
    if (page.crop) cropFrame.show(page.crop.frame);
    else maskFrame?.draw();
  };
  strip = new Strip(page.session.total, open);
  listen();
  page.step = steps()[0]?.id ?? null;
  paint();
  strip.fill();
  if (page.session.total === 0) at("message").textContent = "There are no photos in this folder.";
  else check();
}

start();
