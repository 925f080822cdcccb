// Picks a place in the photo as it is before a step: its position, and the colour there.

import { element } from "/dialogs.js";
import { controlIn, nameOf } from "/focus.js";
import { keep } from "/messages.js";
import { at, leaveTools, page, paint, steps, when } from "/state.js";
import { clamp, svg } from "/svg.js";

const share = (value) => clamp(value, 0, 1);
const linear = (sample) => {
  const v = sample / 255;
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
};

// The mean of samples around a place of a picture; `value` converts a sample, 0…255.
function meanAt([x, y], canvas, value) {
  const [side, across, down] = [5, x * canvas.width, y * canvas.height].map(Math.round);
  const start = (place, length) => Math.min(Math.max(place - 2, 0), Math.max(0, length - side));
  const { data } = canvas.getContext("2d").getImageData(
    start(across, canvas.width), start(down, canvas.height), side, side);
  const sums = [0, 0, 0];
  for (let place = 0; place < data.length; place += 4) {
    for (const channel of [0, 1, 2]) sums[channel] += value(data[place + channel]);
  }
  return sums.map((sum) => sum / (side * side));
}

// The inverse of smoothstep, by which the picture of the depths shows them.
const fromSmoothstep = (level) => 0.5 - Math.sin(Math.asin(1 - 2 * share(level)) / 3);

// Shows the photo as it is before the step, until a place is clicked, or chosen by arrow keys and
// Enter. `chosen` gets the position, 0…1, the colour, and, if `readsDepth` is true, the depth, 0…1.
export function pick(step, sentence, chosen, readsDepth = false) {
  const was = page.pick?.name;
  leaveTools();
  const name = `${step.id}: ${sentence}`;
  // The button that began it ends it, too.
  if (was === name) { paint(); return; }
  if (page.stage.isWhole) page.stage.loupe();
  if (page.stage.mode !== "after") page.stage.compare(page.stage.mode);
  const all = steps();
  const first = all.findIndex((other) => other.key === step.key);
  const control = nameOf(document.activeElement);
  page.pick = { name, control, place: [0.5, 0.5], isReady: false, readsDepth, sentence,
    // The mask in red is painted in place of the step. A colour must be read from the photo alone.
    get showsMask() { return readsDepth && page.showsMask === true; },
    get set() {
      const hidden = all.slice(this.showsMask ? first + 1 : first);
      return Object.fromEntries(hidden.map((other) => [`${other.id}.enabled`, false]));
    },
    choose: (place) => {
      if (!canChoose()) {
        page.pick.wanted = place;
        keep("tool", "loading; the place that you chose is used then");
        return;
      }
      const colour = meanAt(place, at("picture"), linear);
      // The picture of the depths is grey.
      const depth = readsDepth
        ? fromSmoothstep(meanAt(place, page.pick.depths, (sample) => sample / 255)[0]) : undefined;
      leaveTools();
      paint();
      chosen(place.map((v) => Number(v.toFixed(4))), colour, depth);
    } };
  at("overlay").classList.add("active", "pick");
  keep("tool", "loading");
  page.stage.size = null;
  page.stage.rest();
  paint();
}

const canChoose = () => page.pick.isReady && (!page.pick.readsDepth || page.pick.depths);

// Keeps the picture of the photo's depths, from which the depth of a place is read.
when("depths", (bitmap) => {
  if (!page.pick?.readsDepth) return;
  const canvas = element("canvas", { width: bitmap.width, height: bitmap.height });
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  page.pick.depths = canvas;
  showReady();
});

// The cross appears when a place can be chosen. A click before that counts now.
function showReady() {
  if (!canChoose()) return;
  if (page.pick.wanted) {
    page.pick.choose(page.pick.wanted);
    return;
  }
  keep("tool", page.pick.sentence);
  draw();
}

// Draws the cross that the arrow keys move.
function draw() {
  const overlay = at("overlay");
  const { width, height } = overlay.getBoundingClientRect();
  overlay.setAttribute("viewBox", `0 0 ${width || 1} ${height || 1}`);
  const [x, y] = [page.pick.place[0] * width, page.pick.place[1] * height];
  const cross = svg("path", { d: `M${x - 14} ${y}h28M${x} ${y - 14}v28`, stroke: "#fff",
    "stroke-width": 1.5, fill: "none", class: "cross" });
  const dot = svg("circle", { cx: x, cy: y, r: 12, fill: "rgb(255 255 255 / .01)", tabindex: 0,
    role: "slider", "aria-label": `Place, ${page.pick.sentence}`, "aria-valuemin": 0,
    "aria-valuemax": 100, "aria-valuenow": Math.round(100 * page.pick.place[0]),
    "aria-valuetext": page.pick.place.map((v) => `${Math.round(100 * v)} %`).join(", ") });
  dot.addEventListener("keydown", (event) => {
    const size = event.shiftKey ? 0.05 : 0.005;
    const way = { ArrowLeft: [-size, 0], ArrowRight: [size, 0], ArrowUp: [0, -size],
      ArrowDown: [0, size] }[event.key];
    if (way) {
      page.pick.place = page.pick.place.map((v, axis) => share(v + way[axis]));
      draw();
    } else if (event.key === "Enter" || event.key === " ") page.pick.choose(page.pick.place);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  overlay.replaceChildren(cross, dot);
  dot.focus();
}

at("overlay").addEventListener("click", (event) => {
  if (!page.pick) return;
  const box = at("overlay").getBoundingClientRect();
  page.pick.choose([share((event.clientX - box.left) / box.width),
    share((event.clientY - box.top) / box.height)]);
});

when("picture", (head) => {
  if (!page.pick || head.moving || head.pane !== 0) return;
  page.pick.isReady = true;
  showReady();
});

when("leave", () => {
  if (!page.pick) return;
  const hadFocus = page.opening == null && at("overlay").contains(document.activeElement);
  if (hadFocus) controlIn(at("settings"), page.pick.control)?.focus();
  page.pick = null;
  at("overlay").replaceChildren();
  at("overlay").classList.remove("active", "pick");
  keep("tool", "");
  page.stage.size = null;
  page.stage.rest();
});
