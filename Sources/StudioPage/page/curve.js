// An editor for the points of a curve.

import { element } from "/dialogs.js";
import { wait } from "/pending.js";
import { clamp, svg } from "/svg.js";

const side = 240;
const round = (value) => Number(value.toFixed(3));

// The slopes of the monotone cubic through points, as the filter computes them (Fritsch and Butland).
function slopes(points) {
  const pairs = points.slice(1).map((point, index) => [points[index], point]);
  const widths = pairs.map(([a, b]) => b[0] - a[0]);
  const secants = pairs.map(([a, b]) => (b[1] - a[1]) / (b[0] - a[0]));
  if (secants.length === 1) return [secants[0], secants[0]];
  const end = (h0, h1, s0, s1) => {
    const slope = ((2 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
    if (slope * s0 <= 0) return 0;
    return s0 * s1 < 0 && Math.abs(slope) > 3 * Math.abs(s0) ? 3 * s0 : slope;
  };
  const inner = secants.slice(1).map((after, index) => {
    const before = secants[index];
    if (before * after <= 0) return 0;
    const [w1, w2] = [2 * widths[index + 1] + widths[index], widths[index + 1] + 2 * widths[index]];
    return (w1 + w2) / (w1 / before + w2 / after);
  });
  const last = secants.length - 1;
  return [end(widths[0], widths[1], secants[0], secants[1]), ...inner,
    end(widths[last], widths[last - 1], secants[last], secants[last - 1])];
}

export function valueAt(points, x) {
  const found = slopes(points);
  const last = points.length - 1;
  if (x <= points[0][0]) return points[0][1] + (points[0][0] === 0 ? found[0] : 0) * (x - points[0][0]);
  if (x >= points[last][0]) {
    return points[last][1] + (points[last][0] >= 1 ? found[last] : 0) * (x - points[last][0]);
  }
  const index = points.findLastIndex(([left]) => left <= x);
  const [[ax, ay], [bx, by]] = [points[index], points[index + 1]];
  const [width, t] = [bx - ax, (x - ax) / (bx - ax)];
  const [t2, t3] = [t * t, t * t * t];
  return (2 * t3 - 3 * t2 + 1) * ay + (t3 - 2 * t2 + t) * width * found[index]
    + (3 * t2 - 2 * t3) * by + (t3 - t2) * width * found[index + 1];
}

// The editor: `moved` gets the points while one is dragged, `set` when it is released.
export function curve(name, start, { moved, set }) {
  let points = structuredClone(start);
  const most = Math.max(1, ...points.flat());
  const box = svg("svg", { viewBox: `-8 -8 ${side + 16} ${side + 16}`, class: "curve", role: "group",
    "aria-label": `${name}: points` });
  const place = ([x, y]) => [x / most * side, (1 - y / most) * side];
  const value = (event) => {
    const area = box.getBoundingClientRect();
    const scale = (side + 16) / area.width;
    return [((event.clientX - area.left) * scale - 8) / side * most,
      (1 - ((event.clientY - area.top) * scale - 8) / side) * most];
  };
  // A point stays between its neighbours.
  const put = (index, [x, y]) => {
    const [low, high] = [points[index - 1]?.[0] ?? -0.01, points[index + 1]?.[0] ?? most + 0.01];
    points[index] = [round(clamp(x, low + 0.01, high - 0.01)), round(clamp(y, 0, most))];
    draw(index);
  };
  // Keys that follow each other are one change.
  const keep = () => {
    moved(points);
    wait(box, () => set(points));
  };
  const add = (x, y) => {
    const index = points.findIndex(([other]) => other > x);
    const at = index < 0 ? points.length : index;
    const near = points.some(([other]) => Math.abs(other - x) < 0.02);
    if (near || points.length >= 16) return null;
    points.splice(at, 0, [round(clamp(x, 0, most)), round(clamp(y, 0, most))]);
    draw(at);
    return at;
  };
  const remove = (index) => {
    if (points.length <= 2) return;
    points.splice(index, 1);
    draw(Math.min(index, points.length - 1));
    keep();
  };
  const drag = (index, event) => {
    event.preventDefault();
    const move = (now) => { put(index, value(now)); moved(points); };
    addEventListener("pointermove", move);
    addEventListener("pointerup", () => { removeEventListener("pointermove", move); set(points); },
      { once: true });
  };
  function draw(focus) {
    const line = Array.from({ length: 97 }, (_, step) => {
      const x = step / 96 * most;
      return place([x, clamp(valueAt(points, x), 0, most)]).map((v) => v.toFixed(1)).join(" ");
    });
    const quarters = [1, 2, 3].map((n) => n * side / 4);
    box.replaceChildren(
      svg("rect", { width: side, height: side, class: "ground" }),
      svg("path", { d: quarters.map((q) => `M${q} 0v${side}M0 ${q}h${side}`).join("") + `M0 ${side}L${side} 0`,
        class: "lines" }),
      svg("path", { d: `M${line.join("L")}`, class: "line" }));
    points.forEach((point, index) => {
      const [cx, cy] = place(point);
      const handle = svg("circle", { cx, cy, r: 12, class: "handle", tabindex: 0, role: "slider",
        "aria-label": `${name}, point ${index + 1}`, "aria-valuemin": 0, "aria-valuemax": most,
        "aria-valuenow": point[1], "aria-valuetext": `${point[0]} becomes ${point[1]}` });
      handle.addEventListener("pointerdown", (event) => { event.stopPropagation(); drag(index, event); });
      handle.addEventListener("dblclick", (event) => { event.stopPropagation(); remove(index); });
      handle.addEventListener("keydown", (event) => {
        const size = event.shiftKey ? 0.1 : 0.01;
        const way = { ArrowLeft: [-size, 0], ArrowRight: [size, 0], ArrowUp: [0, size],
          ArrowDown: [0, -size] }[event.key];
        if (way) {
          put(index, [points[index][0] + way[0], points[index][1] + way[1]]);
          keep();
        } else if (event.key === "Delete" || event.key === "Backspace") remove(index);
        else if (event.key === "Enter" || event.key === "Insert") {
          const next = points[index + 1] ?? points[index - 1];
          const x = (points[index][0] + next[0]) / 2;
          if (add(x, valueAt(points, x)) !== null) keep();
        } else return;
        event.preventDefault();
        event.stopPropagation();
      });
      box.append(svg("circle", { cx, cy, r: 5, class: "mark" }), handle);
      if (index === focus) handle.focus();
    });
  }
  box.addEventListener("pointerdown", (event) => {
    const index = add(...value(event));
    if (index !== null) drag(index, event);
  });
  draw();
  return element("div", { className: "track" }, box);
}
