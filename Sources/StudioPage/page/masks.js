// The opacity and the mask of a step, by numbers and by handles.

import { isSame, usesParameter } from "/bindings.js";
import { control } from "/controls.js";
import { element } from "/dialogs.js";
import { move, set, unset } from "/edits.js";
import { lacking } from "/lacks.js";
import { MaskFrame, canDraw } from "/mask-frame.js";
import { density, kindOf, nameOf, shapes, withShape } from "/mask-shapes.js";
import { maskPicker } from "/pickers.js";
import { placeOf } from "/placement.js";
import { at, chosen, filledValue, originBeside, own, ownOrigin, ownParameters, ownParts, page, paint, recipeOrigin, valueOf, when } from "/state.js";
import { title } from "/words.js";

let maskFrame;
// The mask with handles that is chosen, with its step; null if there is none. While changes by handles are on their way,
// it is ahead of the edit.
let drawn = null;
let pending = 0;
let showsCorners = false;

const isObject = (value) => value !== null && typeof value === "object";
const atPath = (object, path) => path.split(".").reduce((inner, key) => inner?.[key], object);
// Settings that are left out where others are written.
const left = { center: [0.5, 0.5] };

// The mask with another value at a path; undefined removes it. The ends of a range keep their order.
function changed(mask, path, value) {
  const next = isObject(mask) ? structuredClone(mask) : {};
  const keys = path.split(".");
  const last = keys.pop();
  const inner = keys.reduce((outer, key) => {
    if (!isObject(outer[key])) outer[key] = structuredClone(left[key] ?? {});
    return outer[key];
  }, next);
  if (value === undefined) delete inner[last];
  else inner[last] = value;
  if (last === "min" && (inner.max ?? 1) < value) inner.max = value;
  if (last === "max" && (inner.min ?? 0) > value) inner.min = value;
  return next;
}

// Where the value of a part of the step's mask comes from; empty if it is not written.
function originOf(step, path) {
  const written = atPath(step.raw.mask, path);
  const recipe = written === undefined ? "" : usesParameter(written) ? `parameter ${written}` : recipeOrigin(step);
  // A mask of the photo's own does not follow the recipe's parameters.
  const isFree = usesParameter(written) && `${step.id}.mask` in own();
  if (!isFree && !isOwnPart(step, path)) return recipe;
  if (page.scope === "photo") return ownOrigin(ownParametersIn(step, path));
  return originBeside(atPath(valueOf(step, "mask", null, "photo").value ?? {}, path), recipe);
}

const hasOwnPart = (step, path) => ownParts(step, "mask").some(([other]) => other === path);

// The parameters in a part of the step's mask for which the photo has its own values, if it has no own value of the part.
const ownParametersIn = (step, path) => (`${step.id}.mask` in own() || hasOwnPart(step, path) ? []
  : ownParameters(atPath(step.raw.mask, path)));

// True if this photo has another value for a part of the step's mask than the recipe.
function isOwnPart(step, path) {
  if (hasOwnPart(step, path)) return true;
  const whole = own()[`${step.id}.mask`];
  if (whole === undefined) return ownParametersIn(step, path).length > 0;
  return !isSame(atPath(whole ?? {}, path), atPath(filledValue(step, "mask", "photo") ?? {}, path));
}

// Gives a part of a mask its default; for this photo, the recipe's value.
function resetPart(step, path, change) {
  if (page.scope === "recipe") return change(undefined);
  const isWhole = `${step.id}.mask` in own();
  if (!isWhole || hasOwnPart(step, path)) return unset(step, `mask.${path}`);
  const recipe = filledValue(step, "mask") ?? {};
  const next = changed(valueOf(step, "mask", null).value, path, atPath(recipe, path));
  return isSame(next, recipe) ? unset(step, "mask") : change(atPath(recipe, path));
}

const rowOf = (id, text, ...parts) =>
  element("div", { className: "setting" }, element("label", { htmlFor: id, textContent: text }), ...parts);

function choice(id, entries, value, choose) {
  const select = element("select", { id, onchange: (event) => choose(event.target.value) });
  for (const [name, text] of entries) {
    select.append(element("option", { value: name, textContent: text, selected: name === value }));
  }
  return select;
}

const origin = (text, isOwn = false) => element("span", { className: isOwn ? "origin own" : "origin", textContent: text });

// The control of one setting of a mask.
function settingRow(step, mask, facts, declared) {
  const { name, path, usual, standard, choices, isColour, isOptional, unit } = declared;
  const written = atPath(mask, path);
  const value = written ?? standard;
  const write = (next) => changed(mask, path, next);
  const change = (next) => set(step, "mask", (now) => changed(now, path, next));
  const isOwn = isOwnPart(step, path);
  const text = originOf(step, path);
  if (choices) {
    const id = `setting-${name}`;
    const usable = typeof choices === "function" ? choices(mask) : choices;
    const known = usable.some(([other]) => other === value) ? usable : [...usable, [value, JSON.stringify(value) ?? "none"]];
    return rowOf(id, title(name),
      element("span", { className: "value" }, choice(id, known, value, change)), origin(text, isOwn));
  }
  const schema = isColour ? { pattern: "^#" } : declared.schema ?? { type: "number" };
  const setting = { name, title: declared.title, summary: declared.title ?? title(name), usual, unit, schema,
    identity: isOptional && usual ? standard : null };
  return control(setting, { value, origin: text, isOwn, isFixed: facts.isFixed,
    isSet: page.scope === "photo" ? isOwn : Boolean(isOptional && written !== undefined) }, {
    moved: (next) => move(step, "mask", write(next)), set: change,
    reset: () => resetPart(step, path, change),
  });
}

// The numbers of a polygon's corners, which are shown on demand.
function cornerRows(step, mask, facts) {
  const declared = shapes.polygon.corners(mask);
  const details = element("details", { className: "corners" },
    element("summary", { textContent: `Corners (${declared.length / 2})` }),
    ...declared.map((corner) => settingRow(step, mask, facts, corner)));
  details.open = showsCorners;
  details.addEventListener("toggle", () => { showsCorners = details.open; });
  return details;
}

function checkBox(id, text, isChecked, change, hint = "", ...more) {
  return rowOf(id, text, element("input", { id, type: "checkbox", checked: isChecked, title: hint,
    onchange: (event) => change(event.target.checked) }), ...more);
}

// The opacity and the mask, which all steps have that keep the frame.
export function blending(step) {
  const opacity = { name: "opacity", summary: "The share of the step's result.", usual: [0, 1],
    identity: 1, schema: { type: "number", minimum: 0, maximum: 1 } };
  const rows = [control(opacity, valueOf(step, "opacity", 1), {
    moved: (value) => move(step, "opacity", value),
    set: (value) => set(step, "opacity", value), reset: () => unset(step, "opacity"),
  })];
  const { value, ...facts } = valueOf(step, "mask", null);
  // A sidecar that was edited by hand can have anything in place of a mask.
  const mask = value == null || isObject(value) ? value : { other: value };
  const kind = kindOf(mask);
  const shape = shapes[kind];
  const entries = [["none", "none"], ...Object.entries(shapes).map(([name, { name: text }]) => [name, text]),
    ...(kind === "other" ? [["other", nameOf(mask)]] : []),
    ...(facts.isOwn && page.scope === "photo" ? [["recipe", "as in the recipe"]] : [])];
  const select = choice("mask", entries, kind, (name) => {
    if (name === "none") set(step, "mask", null);
    else if (name === "recipe") unset(step, "mask");
    else if (shapes[name]) set(step, "mask", (now) => withShape(isObject(now) ? now : null, name));
  });
  const lack = element("span", { id: "mask-lacks", role: "status", textContent: lacking(mask),
    className: shape?.canLack ? "lacks reserved" : "lacks" });
  select.setAttribute("aria-describedby", lack.id);
  rows.push(rowOf("mask", "Mask", element("span", { className: "value" }, select), origin(facts.origin, facts.isOwn), lack));
  if (shape?.hasHandles) rows.push(element("p", { id: "mask-place", className: "lacks", role: "status" }));
  if (shape?.canPick) rows.push(maskPicker(step, mask, kind, lack.textContent !== ""));
  rows.push(...(shape?.settings(mask) ?? []).map((setting) => settingRow(step, mask, facts, setting)));
  if (shape?.corners) rows.push(cornerRows(step, mask, facts));
  if (mask) {
    if (isObject(value)) rows.push(settingRow(step, mask, facts, density));
    rows.push(checkBox("invert", "Invert mask", mask.invert === true, (isOn) =>
      set(step, "mask", (now) => changed(now, "invert", isOn || undefined)), "",
    origin(originOf(step, "invert"), isOwnPart(step, "invert"))));
    rows.push(checkBox("coverage", "Show mask in red", page.showsMask === true, toggleCoverage, "Show the mask (M)"));
  }
  const isAhead = pending > 0 && drawn?.step.key === step.key;
  if (!isAhead) drawn = shape?.hasHandles && canDraw(mask) ? { step, mask } : null;
  requestAnimationFrame(drawMask);
  return rows;
}

// Shows where the mask of the chosen step lets it work, or no longer.
export function toggleCoverage() {
  page.showsMask = !page.showsMask;
  page.stage.rest();
  paint();
}

// The step whose mask is shown in the picture.
export function coveredStep() {
  const step = page.showsMask ? chosen() : null;
  return step && valueOf(step, "mask", null, "photo").value ? step.id : undefined;
}


// Draws the handles of the chosen step's mask; positions of masks count in the frame of their step.
function drawMask() {
  if (page.crop || page.level || page.pick) return;
  const isChosen = drawn !== null && chosen()?.key === drawn.step.key;
  const place = isChosen ? placeOf(drawn.step) : null;
  const text = place?.reason ?? place?.note ?? "";
  if (at("mask-place") && at("mask-place").textContent !== text) at("mask-place").textContent = text;
  if (!place?.map) {
    maskFrame?.hide();
    return;
  }
  maskFrame ??= new MaskFrame(at("overlay"),
    (next, step) => move(step, "mask", next), (next, step) => {
      // Until the studio has taken the change, the handles stay where they were left.
      if (drawn?.step.key === step.key) drawn = { ...drawn, mask: next };
      pending += 1;
      const kind = kindOf(next);
      const shape = structuredClone(next[kind]);
      set(step, "mask", (now) => ({ ...now, [kind]: shape })).finally(() => {
        pending -= 1;
        if (pending === 0) paint();
      });
    });
  if (maskFrame.step?.key !== drawn.step.key) maskFrame.hide();
  if (!maskFrame.isMoving) maskFrame.show(drawn.step, drawn.mask, place);
}

when("paint", () => { if (!chosen()) { drawn = null; drawMask(); } });
when("leave", () => { maskFrame?.hide(); });
when("placed", drawMask);
when("picture", (head) => { if (!head.moving) drawMask(); });
when("level", () => maskFrame?.hide());
