// Handles over the photo: the frame of a crop, and the shapes of masks.

import { clamp, svg } from "/svg.js";

const round = (value) => Number(value.toFixed(4));

// Draws handles at positions 0…1 of the picture. `handles` are {name, at: [x, y]}; `moved` gets the
// name and the new position, `ended` is called when the pointer is released.
class Handles {
  constructor(overlay) { this.overlay = overlay; }

  draw(shapes, handles, moved, ended) {
    const { width, height } = this.overlay.getBoundingClientRect();
    const active = document.activeElement;
    const focused = this.overlay.contains(active) ? active.getAttribute("aria-label") : null;
    this.overlay.setAttribute("viewBox", `0 0 ${width || 1} ${height || 1}`);
    this.overlay.replaceChildren(...shapes(width, height));
    for (const handle of handles) {
      const [x, y] = [handle.at[0] * width, handle.at[1] * height];
      const dot = svg("circle", { cx: x, cy: y, r: 12, fill: "rgb(255 255 255 / .01)",
        tabindex: 0, role: "slider", "aria-label": handle.label,
        "aria-valuenow": Math.round(100 * handle.at[0]), "aria-valuetext": handle.at.map((v) => `${Math.round(100 * v)} %`).join(", ") });
      dot.style.cursor = "move";
      dot.style.pointerEvents = "all";
      const mark = svg("circle", { cx: x, cy: y, r: 6, fill: "#fff", stroke: "#000",
        "stroke-width": 1.5 });
      mark.style.pointerEvents = "none";
      const place = (event) => {
        const box = this.overlay.getBoundingClientRect();
        return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
      };
      dot.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        const move = (now) => moved(handle.name, place(now), now.shiftKey);
        const up = () => { removeEventListener("pointermove", move); ended(); };
        addEventListener("pointermove", move);
        addEventListener("pointerup", up, { once: true });
      });
      dot.addEventListener("keydown", (event) => {
        const step = event.shiftKey ? 0.05 : 0.005;
        const way = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step],
          ArrowDown: [0, step] }[event.key];
        if (!way) return;
        event.preventDefault();
        event.stopPropagation();
        moved(handle.name, [handle.at[0] + way[0], handle.at[1] + way[1]], false);
        ended();
      });
      this.overlay.append(mark, dot);
      if (handle.label === focused) dot.focus();
    }
  }

  clear() { this.overlay.replaceChildren(); }
}

// The frame of a crop as [left, top, width, height], 0…1 of the photo before the crop.
export class CropFrame {
  constructor(overlay, changed, ended) {
    this.handles = new Handles(overlay);
    [this.changed, this.ended] = [changed, ended];
  }

  show(frame) {
    this.frame = frame;
    this.draw();
  }

  draw() {
    const [left, top, width, height] = this.frame;
    const corners = { "upper left": [left, top], "upper right": [left + width, top],
      "lower left": [left, top + height], "lower right": [left + width, top + height],
      centre: [left + width / 2, top + height / 2] };
    this.handles.draw((w, h) => {
      const [x, y, fw, fh] = [left * w, top * h, width * w, height * h];
      const lines = [1, 2].flatMap((n) => [
        svg("path", { d: `M${x + fw * n / 3} ${y}v${fh}M${x} ${y + fh * n / 3}h${fw}`,
          stroke: "rgb(255 255 255 / .4)", fill: "none" })]);
      return [
        svg("path", { d: `M0 0h${w}v${h}h${-w}zM${x} ${y}v${fh}h${fw}v${-fh}z`,
          fill: "rgb(0 0 0 / .55)", "fill-rule": "evenodd" }),
        svg("rect", { x, y, width: fw, height: fh, fill: "none", stroke: "#fff" }), ...lines];
    }, Object.entries(corners).map(([name, at]) => ({ name, at, label: `Crop, ${name}` })),
    (name, at, keeps) => this.move(name, at, keeps), () => this.ended(this.frame));
  }

  move(name, [x, y], keeps) {
    let [left, top, width, height] = this.frame;
    if (name === "centre") {
      left = clamp(x - width / 2, 0, 1 - width);
      top = clamp(y - height / 2, 0, 1 - height);
    } else {
      const ratio = width / height;
      let [right, bottom] = [left + width, top + height];
      if (name.endsWith("left")) left = clamp(x, 0, right - 0.02);
      else right = clamp(x, left + 0.02, 1);
      if (name.startsWith("upper")) top = clamp(y, 0, bottom - 0.02);
      else bottom = clamp(y, top + 0.02, 1);
      if (keeps) {
        const tall = (right - left) / ratio;
        if (name.startsWith("upper")) top = clamp(bottom - tall, 0, bottom - 0.02);
        else bottom = clamp(top + tall, top + 0.02, 1);
      }
      [width, height] = [right - left, bottom - top];
    }
    this.frame = [left, top, width, height].map(round);
    this.draw();
    this.changed(this.frame);
  }

  hide() { this.handles.clear(); }
}

// A line that a person draws along something level or upright; `ended` gets the degrees by which the
// photo must be turned clockwise.
export class LevelLine {
  constructor(overlay, ended) {
    this.overlay = overlay;
    this.start = (event) => {
      const box = overlay.getBoundingClientRect();
      const place = (now) => [now.clientX - box.left, now.clientY - box.top];
      const [x, y] = place(event);
      overlay.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
      const line = svg("path", { stroke: "#fff", "stroke-width": 2, d: "" });
      overlay.replaceChildren(line);
      let end = [x, y];
      const move = (now) => {
        end = place(now);
        line.setAttribute("d", `M${x} ${y}L${end[0]} ${end[1]}`);
      };
      event.preventDefault();
      addEventListener("pointermove", move);
      addEventListener("pointerup", () => {
        removeEventListener("pointermove", move);
        overlay.replaceChildren();
        const [across, down] = [end[0] - x, end[1] - y];
        // A click is no line.
        if (Math.hypot(across, down) < 12) return;
        const angle = Math.atan2(down, across) * 180 / Math.PI;
        ended(-(angle - 90 * Math.round(angle / 90)));
      }, { once: true });
    };
    overlay.addEventListener("pointerdown", this.start);
  }

  hide() {
    this.overlay.removeEventListener("pointerdown", this.start);
    this.overlay.replaceChildren();
  }
}

const isPoint = (value) => Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);

// True if a mask has the positions that its handles need.
export function canDraw({ linear, radial, polygon }) {
  if (linear) return isPoint(linear.from) && isPoint(linear.to);
  if (radial) return Number.isFinite(radial.radius) && (radial.center === undefined || isPoint(radial.center));
  return Array.isArray(polygon?.points) && polygon.points.length > 2 && polygon.points.every(isPoint);
}

// The handles of a linear, radial or polygon mask, in fractions of the picture.
export class MaskFrame {
  constructor(overlay, changed, ended) {
    this.handles = new Handles(overlay);
    [this.changed, this.ended] = [changed, ended];
  }

  show(mask) {
    this.mask = structuredClone(mask);
    if (this.mask.radial) this.mask.radial.center ??= [0.5, 0.5];
    this.draw();
  }

  draw() {
    if (!this.mask) return;
    const { linear, radial, polygon } = this.mask;
    const line = { stroke: "#fff", fill: "none", "stroke-width": 1.5 };
    let [shapes, handles] = [() => [], []];
    if (linear) {
      const [from, to] = [linear.from, linear.to];
      shapes = (w, h) => [svg("path", { ...line,
        d: `M${from[0] * w} ${from[1] * h}L${to[0] * w} ${to[1] * h}` })];
      handles = [{ name: "from", at: from, label: "Mask, no effect from here" },
        { name: "to", at: to, label: "Mask, full effect from here" }];
    } else if (radial) {
      // Radii are fractions of the shorter edge, as in recipes.
      const [cx, cy] = radial.center;
      shapes = (w, h) => {
        const unit = Math.min(w, h);
        return [svg("ellipse", { ...line, cx: cx * w, cy: cy * h, rx: radial.radius * unit,
          ry: (radial.height ?? radial.radius) * unit,
          transform: `rotate(${radial.angle ?? 0} ${cx * w} ${cy * h})` })];
      };
      const { width, height } = this.handles.overlay.getBoundingClientRect();
      const across = radial.radius * Math.min(width, height) / (width || 1);
      handles = [{ name: "center", at: [cx, cy], label: "Mask, centre" },
        { name: "radius", at: [cx + across, cy], label: "Mask, radius" }];
    } else if (polygon) {
      shapes = (w, h) => [svg("polygon", { ...line,
        points: polygon.points.map(([x, y]) => `${x * w},${y * h}`).join(" ") })];
      handles = polygon.points.map((at, index) => ({ name: index, at,
        label: `Mask, corner ${index + 1}` }));
    }
    this.handles.draw(shapes, handles, (name, at) => {
      const place = at.map((v) => round(clamp(v, -0.5, 1.5)));
      if (linear) linear[name] = place;
      else if (radial && name === "radius") {
        const { width, height } = this.handles.overlay.getBoundingClientRect();
        const across = Math.abs(at[0] - radial.center[0]) * width;
        const ratio = (radial.height ?? radial.radius) / radial.radius;
        radial.radius = Math.max(0.01, round(across / Math.min(width, height)));
        if (radial.height !== undefined) radial.height = round(radial.radius * ratio);
      } else if (radial) radial.center = place;
      else polygon.points[name] = place;
      this.draw();
      this.changed(this.mask);
    }, () => this.ended(this.mask));
  }

  hide() {
    this.mask = null;
    this.handles.clear();
  }
}
