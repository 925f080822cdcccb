// The shape of a linear, radial or polygon mask over the photo, with handles.

import { Handles } from "/handles.js";
import { settle } from "/pending.js";
import { crosses, fewestCorners, middle, mostCorners, withCorner, withoutCorner } from "/polygons.js";
import { clamp, svg } from "/svg.js";

const round = (value) => Number(value.toFixed(4));
const cornerLabel = (index) => `Mask, corner ${index + 1}`;
const isPoint = (value) => Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);

// True if a mask has the positions that its handles need.
export function canDraw({ linear, radial, polygon }) {
  if (linear) return isPoint(linear.from) && isPoint(linear.to);
  if (radial) return Number.isFinite(radial.radius) && (radial.center === undefined || isPoint(radial.center));
  return Array.isArray(polygon?.points) && polygon.points.length >= fewestCorners && polygon.points.every(isPoint);
}

// The places of an ellipse: its centre, its radii as fractions of the frame's shorter edge, and its angle in degrees.
class Ellipse {
  constructor(radial, [width, height]) {
    const angle = (radial.angle ?? 0) * Math.PI / 180;
    const unit = Math.min(width, height);
    this.centre = radial.center;
    this.radii = [radial.radius, radial.height ?? radial.radius];
    // The axes, 1 long, in fractions of the frame; and in pixels of the frame.
    this.axes = [[Math.cos(angle), Math.sin(angle)], [-Math.sin(angle), Math.cos(angle)]];
    this.scale = [unit / width, unit / height];
  }

  // The place at a share of each radius from the centre.
  at(across, down) {
    const [x, y] = [0, 1].map((axis) => across * this.radii[0] * this.axes[0][axis] + down * this.radii[1] * this.axes[1][axis]);
    return [this.centre[0] + x * this.scale[0], this.centre[1] + y * this.scale[1]];
  }

  // The radius of an ellipse that has a place on its axis.
  radius(axis, place) {
    const away = place.map((value, index) => (value - this.centre[index]) / this.scale[index]);
    return Math.abs(away[0] * this.axes[axis][0] + away[1] * this.axes[axis][1]);
  }

  outline() {
    return Array.from({ length: 96 }, (_, n) => this.at(Math.cos(n * Math.PI / 48), Math.sin(n * Math.PI / 48)));
  }
}

export class MaskFrame {
  // `changed` gets the mask and its step while a handle moves, `ended` when the movement ends.
  constructor(overlay, changed, ended) {
    this.handles = new Handles(overlay);
    [this.changed, this.ended] = [changed, ended];
  }

  // Shows the mask of a step in the frame of this step: `map` maps this frame to the picture, both 0…1; `size` is the
  // frame's size.
  show(step, mask, { map, size }) {
    this.step = step;
    this.mask = structuredClone(mask);
    if (this.mask.radial) this.mask.radial.center ??= [0.5, 0.5];
    [this.map, this.back, this.size] = [map, map.inverse, size];
    this.draw();
  }

  draw() {
    if (!this.mask) return;
    const { linear, radial, polygon } = this.mask;
    const [corners, isClosed] = linear ? [[linear.from, linear.to], false]
      : radial ? [new Ellipse(radial, this.size).outline(), true] : [polygon.points, true];
    const outline = corners.map((place) => this.map.at(place));
    const path = (w, h) => `M${outline.map(([x, y]) => `${x * w} ${y * h}`).join("L")}${isClosed ? "z" : ""}`;
    const shapes = (w, h) => [svg("path", { d: path(w, h), stroke: "#fff", fill: "none", "stroke-width": 1.5 })];
    this.handles.draw(shapes, this.places().map((handle) => ({ ...handle, at: this.map.at(handle.at) })), {
      moved: (name, at) => this.move(name, this.back.at(at)),
      ended: (name) => this.release(name),
      keyed: (name, key) => polygon !== undefined && this.press(name, key),
    });
  }

  // The handles, in the step's frame.
  places() {
    const { linear, radial, polygon } = this.mask;
    if (linear) {
      return [{ name: "from", at: linear.from, label: "Mask, no effect from here" },
        { name: "to", at: linear.to, label: "Mask, full effect from here" }];
    }
    if (radial) {
      const ellipse = new Ellipse(radial, this.size);
      return [{ name: "center", at: radial.center, label: "Mask, centre" },
        { name: "radius", at: ellipse.at(1, 0), label: "Mask, radius" },
        { name: "height", at: ellipse.at(0, -1), label: "Mask, height" }];
    }
    const { points } = polygon;
    const edges = points.length < mostCorners ? points.map((_, index) => ({ name: `edge ${index}`, at: middle(points, index),
      adds: { name: index + 1, label: cornerLabel(index + 1) }, label: `Mask, add a corner after corner ${index + 1}` })) : [];
    // Corners lie above the middles of their edges.
    return [...edges, ...points.map((at, index) => ({ name: index, at, label: cornerLabel(index) }))];
  }

  move(name, at) {
    const { linear, radial, polygon } = this.mask;
    const place = at.map((v) => round(clamp(v, -0.5, 1.5)));
    if (linear) linear[name] = place;
    else if (radial && name === "center") radial.center = place;
    else if (radial) {
      const length = Math.max(0.01, round(new Ellipse(radial, this.size).radius(name === "radius" ? 0 : 1, at)));
      radial[name] = length;
    } else {
      const edge = this.edge(name);
      // The corner that a movement of an edge's middle has added moves on.
      if (edge !== null && this.added === undefined) {
        this.added = edge + 1;
        polygon.points = withCorner(polygon.points, edge);
      }
      const index = edge === null ? name : this.added;
      const next = polygon.points.with(index, place);
      // The corner stays at the last place where no edges cross.
      if (!crosses(next)) polygon.points = next;
    }
    this.isMoving = true;
    this.draw();
    this.changed(this.mask, this.step);
  }

  // The edge of a handle for a new corner; null for other handles.
  edge(name) {
    return typeof name === "string" && name.startsWith("edge ") ? Number(name.slice(5)) : null;
  }

  // The end of a movement; a click on the middle of an edge adds a corner there.
  release(name) {
    this.isMoving = false;
    const edge = this.edge(name);
    if (edge !== null && this.added === undefined) {
      this.add(edge);
      return;
    }
    this.added = undefined;
    this.ended(this.mask, this.step);
  }

  add(edge) {
    const { polygon } = this.mask;
    if (polygon.points.length >= mostCorners) return;
    polygon.points = withCorner(polygon.points, edge);
    this.finish(edge + 1);
  }

  finish(corner) {
    this.draw();
    this.handles.focus(cornerLabel(corner));
    this.ended(this.mask, this.step);
  }

  // Delete removes a corner, Enter adds one behind it.
  press(name, key) {
    const { polygon } = this.mask;
    const adds = ["Enter", " ", "Insert"].includes(key);
    if (!adds && (!["Delete", "Backspace"].includes(key) || typeof name !== "number")) return false;
    settle();
    if (adds) {
      this.add(this.edge(name) ?? name);
      return true;
    }
    const next = withoutCorner(polygon.points, name);
    if (next) {
      polygon.points = next;
      this.finish(Math.min(name, next.length - 1));
    }
    return true;
  }

  hide() {
    if (this.isMoving) settle();
    this.isMoving = false;
    this.mask = null;
    this.handles.clear();
  }
}
