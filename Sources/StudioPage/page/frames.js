// The frame of a crop, and the line by which the photo is straightened, over the photo.

import { Handles } from "/handles.js";
import { settle } from "/pending.js";
import { clamp, svg } from "/svg.js";

const round = (value) => Number(value.toFixed(4));

// The frame of a crop as [left, top, width, height], 0…1 of the photo before the crop.
export class CropFrame {
  // `moved` gets the frame while a handle moves, and `ended` when its movement ends.
  constructor(overlay, moved, ended) {
    this.handles = new Handles(overlay);
    [this.moved, this.ended] = [moved, ended];
  }

  // `ratio` is that of width and height, both 0…1, which the frame keeps while it is moved; null if it is free.
  show(frame, ratio) {
    if (this.isMoving) return;
    [this.frame, this.ratio] = [frame, ratio];
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
    { moved: (name, at, isOther) => this.move(name, at, isOther), ended: () => this.release() });
  }

  // With `isOther`, a frame that keeps its ratio leaves it, and a frame that is free keeps the one that it has.
  move(name, [x, y], isOther) {
    let [left, top, width, height] = this.frame;
    if (name === "centre") {
      left = clamp(x - width / 2, 0, 1 - width);
      top = clamp(y - height / 2, 0, 1 - height);
    } else {
      this.first ??= width / height;
      const ratio = isOther ? this.ratio === null && this.first : this.ratio;
      const [right, bottom] = [left + width, top + height];
      const [isLeft, isUpper] = [name.endsWith("left"), name.startsWith("upper")];
      const most = [isLeft ? right : 1 - left, isUpper ? bottom : 1 - top];
      width = clamp(isLeft ? right - x : x - left, 0.02, most[0]);
      height = clamp(isUpper ? bottom - y : y - top, 0.02, most[1]);
      if (ratio) {
        // Both directions count, so that each arrow key has an effect.
        width = Math.min((width + height * ratio) / 2, most[0], most[1] * ratio);
        height = width / ratio;
      }
      if (isLeft) left = right - width;
      if (isUpper) top = bottom - height;
    }
    this.frame = [left, top, width, height].map(round);
    this.isMoving = true;
    this.moved(this.frame);
    this.draw();
  }

  release() {
    this.isMoving = false;
    this.first = null;
    return this.ended(this.frame);
  }

  hide() {
    if (this.isMoving) settle();
    this.isMoving = false;
    this.handles.clear();
  }
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
