// Controls for the settings of a step, made from the declarations of its filter.

import { curve } from "/curve.js";
import { element } from "/dialogs.js";
import { refuse, showEdit } from "/edits.js";
import { forget, isMoving, settle, wait } from "/pending.js";
import { numberIn, title, whyNoNumber } from "/words.js";

const units = { stops: "stops", kelvin: "K", degrees: "°", millimetres: "mm", metres: "m",
  pixels: "px", percent: "%", megapixels: "MP", dpi: "dpi" };

// Converts between a value and the position of its slider, 0…1000.
function scale(setting) {
  const [low, high] = setting.usual;
  const isInteger = setting.schema.type === "integer";
  let [to, from] = [(v) => v, (v) => v];
  // Equal distances in mireds look like equal changes of colour.
  if (setting.unit === "kelvin") [to, from] = [(v) => -1e6 / v, (v) => -1e6 / v];
  else if (low > 0 && high / low >= 20) [to, from] = [Math.log, Math.exp];
  const [start, end] = [to(low), to(high)];
  const digits = isInteger || high - low >= 400 ? 0 : high - low >= 40 ? 1 : high - low >= 1 ? 2 : 3;
  const round = (v) => Number(v.toFixed(digits));
  return {
    digits,
    position: (v) => 1000 * Math.min(1, Math.max(0, (to(v) - start) / (end - start))),
    value: (p) => round(setting.unit === "kelvin"
      ? Math.round(from(start + (end - start) * p / 1000) / 10) * 10
      : from(start + (end - start) * p / 1000)),
    round,
  };
}

const say = (value, setting) => {
  const sign = typeof value === "number" && value > 0 && setting.usual?.[0] < 0 ? "+" : "";
  return `${sign}${value}${units[setting.unit] ? ` ${units[setting.unit]}` : ""}`;
};

const nameOf = (setting) => setting.title ?? title(setting.name);

// True if the setting is a length: pixels, a part of an edge, or centimetres.
export const isLength = (setting) => setting?.schema.anyOf?.some(({ pattern }) => pattern?.includes("cm")) === true;

// The whole edge. As a number it is 1.0, which JavaScript cannot tell from 1, one pixel; the studio writes it in this way,
// too.
export const wholeEdge = "100%";

// The value that a text means; a text that is not JSON means itself.
function meaning(written, setting) {
  if (setting.schema.type === "string") return written;
  try {
    const value = JSON.parse(written);
    return value === 1 && written !== "1" && isLength(setting) ? wholeEdge : value;
  } catch { return written; }
}

// The row of one setting. `facts` has its value, the text of its origin, and whether the value is the photo's own.
// `moved` receives values while they change, `set` receives the final value, and `reset` is called without a value.
export function control(setting, facts, { moved, set, reset: remove }) {
  const reset = () => (facts.isSet ? remove() : null);
  const id = `setting-${setting.name}`;
  const row = element("div", { className: "setting" });
  row.dataset.setting = setting.name;
  const label = element("label", { htmlFor: id, textContent: nameOf(setting),
    title: setting.summary });
  const value = element("span", { className: "value" });
  row.append(label, value);
  const undo = element("button", { className: "quiet reset", textContent: "↺",
    title: "Reset (Delete)", disabled: !facts.isSet, onclick: reset });
  undo.setAttribute("aria-label", `Reset ${nameOf(setting)}`);
  const kind = setting.schema;
  const current = facts.value;
  if (setting.usual && (typeof current === "number" || current == null)) {
    number(setting, facts, { moved, set, reset, remove }, { id, row, value, label });
  } else if (kind.type === "boolean") {
    value.append(element("input", { id, type: "checkbox", checked: current === true,
      onchange: (event) => set(event.target.checked) }));
  } else if (kind.enum) {
    const select = element("select", { id, onchange: (event) => set(kind.enum[event.target.selectedIndex]) });
    for (const option of kind.enum) {
      select.append(element("option", { value: option, textContent: option,
        selected: option === current }));
    }
    value.append(select);
  } else if (isCurve(setting) && Array.isArray(current)) {
    label.removeAttribute("for");
    row.append(curve(title(setting.name), current, { moved, set }));
  } else if (isColour(setting)) {
    value.append(element("input", { id, type: "color", value: hex(current),
      oninput: (event) => moved(event.target.value),
      onchange: (event) => set(event.target.value) }));
  } else {
    const text = current == null ? "" : typeof current === "string" ? current
      : JSON.stringify(current);
    value.append(element("input", { id, type: "text", value: text, onchange: (event) => {
      const written = event.target.value.trim();
      if (written !== "") return set(meaning(written, setting));
      // The text stays in sight if there is nothing to reset.
      event.target.value = text;
      return reset();
    } }));
  }
  value.append(undo);
  row.append(element("span", { className: facts.isOwn ? "origin own" : "origin",
    textContent: facts.origin }));
  // `--set` has the highest precedence, so a change would have no effect.
  if (facts.isFixed) for (const part of row.querySelectorAll("input, select, button")) part.disabled = true;
  return row;
}

const isCurve = (setting) => Array.isArray(setting.default) && setting.default.length > 0
  && setting.default.every((point) => Array.isArray(point) && point.length === 2);

const isColour = (setting) => setting.schema.pattern?.startsWith("^#");

const hex = (text) => {
  const match = /^#([0-9a-f]{6}|[0-9a-f]{3})/i.exec(text || "");
  if (!match) return "#000000";
  return match[1].length === 3 ? `#${[...match[1]].map((c) => c + c).join("")}` : `#${match[1]}`;
};

function number(setting, facts, { moved, set, reset, remove }, { id, row, value, label }) {
  const map = scale(setting);
  const start = facts.value ?? setting.identity ?? setting.usual[0];
  const limits = setting.schema.anyOf ? setting.schema.anyOf[0] : setting.schema;
  // A browser's field for numbers drops a comma that its language does not use.
  const field = element("input", { id, type: "text", inputMode: "decimal", role: "spinbutton", autocomplete: "off",
    ariaValueMin: limits.minimum ?? null, ariaValueMax: limits.maximum ?? null, value: facts.value ?? "" });
  const slider = element("input", { type: "range", min: 0, max: 1000, step: "any",
    value: map.position(start) });
  slider.setAttribute("aria-label", nameOf(setting));
  const announce = (v, text = say(v, setting)) => {
    slider.setAttribute("aria-valuetext", say(v, setting));
    [field.ariaValueNow, field.ariaValueText] = [v, text];
  };
  announce(start, facts.value == null ? "not set" : undefined);
  let latest = start;
  // The last value that became a change.
  let sent = facts.value;
  const send = () => {
    if (latest === sent) return null;
    sent = latest;
    return set(latest);
  };
  const show = (v) => { latest = v; field.value = v; announce(v); };
  slider.addEventListener("input", () => {
    show(map.value(Number(slider.value)));
    moved(latest);
  });
  // A click becomes a change a moment later, because a second click resets the slider.
  let [pressedAt, isClick] = [0, false];
  slider.addEventListener("pointerdown", ({ clientX }) => { pressedAt = clientX; });
  slider.addEventListener("pointerup", ({ clientX }) => { isClick = Math.abs(clientX - pressedAt) < 4; });
  slider.addEventListener("change", () => {
    if (isClick) wait(slider, send);
    else send();
    isClick = false;
  });
  // Cancels a movement and resets the value.
  const giveUp = () => {
    if (!isMoving(slider)) return reset();
    forget();
    return facts.isSet || sent !== facts.value ? remove() : showEdit();
  };
  slider.addEventListener("dblclick", giveUp);
  // Moves the value by a key of a control.
  const step = (by, way, { shiftKey }) => {
    const size = 10 ** -map.digits * (shiftKey ? 10 : 1) * (setting.unit === "kelvin" ? 50 : 1);
    const [low, high] = [limits.minimum ?? -Infinity, limits.maximum ?? Infinity];
    show(Math.min(high, Math.max(low, map.round(latest + way * size))));
    slider.value = map.position(latest);
    moved(latest);
    wait(by, send);
  };
  slider.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (way) step(slider, way, event);
    else if (event.key === "Delete" || event.key === "Backspace") giveUp();
    else return;
    event.preventDefault();
  });
  field.addEventListener("keydown", (event) => {
    const way = { ArrowDown: -1, ArrowUp: 1 }[event.key];
    if (!way) return;
    const typed = numberIn(field.value);
    if (!Number.isNaN(typed)) latest = typed;
    step(field, way, event);
    event.preventDefault();
  });
  for (const part of [slider, field]) part.addEventListener("blur", () => { if (isMoving(part)) settle(); });
  // A field is read when it is left, so that it never rewrites what is being typed.
  field.addEventListener("change", () => {
    if (field.value.trim() === "") {
      field.value = facts.value ?? "";
      return reset();
    }
    const typed = field.value.trim();
    const meant = numberIn(typed);
    if (!Number.isNaN(meant)) return set(meant);
    field.value = facts.value ?? "";
    return refuse(whyNoNumber(typed));
  });
  label.addEventListener("dblclick", reset);
  scrub(label, () => latest, (v) => { show(map.round(v)); slider.value = map.position(latest); moved(latest); },
    send, (setting.usual[1] - setting.usual[0]) / 300);
  const track = element("span", { className: "track" }, slider);
  if (setting.identity != null && typeof setting.identity === "number") {
    const tick = element("span", { className: "tick" });
    tick.style.left = `calc(8px + (100% - 16px) * ${map.position(setting.identity) / 1000})`;
    track.append(tick);
  }
  value.append(field, element("span", { className: "unit", textContent: units[setting.unit] || "" }));
  row.append(track);
}

// Dragging a label changes its value, as in other photo tools.
function scrub(label, get, move, end, step) {
  label.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const [x, start] = [event.clientX, get()];
    let isMoved = false;
    const moved = (now) => {
      if (Math.abs(now.clientX - x) > 3) isMoved = true;
      if (isMoved) move(start + (now.clientX - x) * step);
    };
    const up = () => {
      removeEventListener("pointermove", moved);
      if (isMoved) end();
    };
    addEventListener("pointermove", moved);
    addEventListener("pointerup", up, { once: true });
  });
}
