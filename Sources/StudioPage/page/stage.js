// The photo: pictures at display size, and the ways to compare them with the photo before the edit.

import { paintHistogram } from "/histogram.js";

const at = (id) => document.getElementById(id);

export class Stage {
  // `request(picture)` asks the studio for a picture.
  constructor(live, subject) {
    this.live = live;
    this.subject = subject;
    this.mode = "after";
    this.divider = 0.5;
    this.shown = [0, 0];
    this.size = null;
    this.frame = null;
    this.view = at("view");
    this.canvases = [at("picture"), at("unedited")];
    new ResizeObserver(() => { this.layout(); this.rest(); }).observe(this.view);
    this.dividerKeys();
  }

  // The longer edge of the picture in device pixels.
  get edge() {
    const [width, height] = this.room;
    const scale = window.devicePixelRatio || 1;
    if (!this.size) return Math.round(Math.max(width, height) * scale);
    const fit = Math.min(width / this.size[0], height / this.size[1]);
    return Math.max(64, Math.round(Math.max(...this.size) * fit * scale));
  }

  get room() {
    const width = this.view.clientWidth / (this.mode === "beside" ? 2 : 1);
    return [Math.max(64, width), Math.max(64, this.view.clientHeight)];
  }

  // Shows another photo; its first picture replaces what is shown.
  open() {
    this.size = null;
    this.rest();
  }

  // Asks for a picture while a setting moves; at most one for each frame of the screen.
  move(set, own) {
    this.moving = { set, own };
    clearTimeout(this.resting);
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      if (this.moving) this.ask({ moving: true, ...this.moving });
    });
  }

  // Asks for the picture at rest, a little after the last movement.
  rest(set, own) {
    this.moving = null;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      this.ask({ moving: false, set, own });
      if (this.mode !== "after") this.ask({ moving: false, before: true, pane: 1 });
    }, 30);
  }

  ask(request) {
    const subject = this.subject();
    if (!subject) return;
    const { set, ...more } = request;
    this.live.show({ ...subject, ...more, edge: this.edge, set: { ...subject.set, ...set },
      own: request.own ?? subject.own });
  }

  async see(head, blob) {
    const subject = this.subject();
    if (!subject || head.photo !== subject.photo) return;
    if (head.number < this.shown[head.pane]) return;
    const bitmap = await createImageBitmap(blob);
    if (head.number < this.shown[head.pane] || head.photo !== this.subject()?.photo) {
      bitmap.close();
      return;
    }
    this.shown[head.pane] = head.number;
    const canvas = this.canvases[head.pane];
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
    }
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    performance.mark("shown", { detail: { number: head.number, moving: head.moving } });
    // While a setting moves, the histogram must not take time from the pictures.
    const now = performance.now();
    if (head.pane === 0 && (!head.moving || now - (this.counted ?? 0) > 150)) {
      paintHistogram(bitmap);
      this.counted = now;
    }
    bitmap.close();
    if (head.pane === 0) {
      const isNew = !this.size;
      this.size = [head.width, head.height];
      this.full = [head.fullWidth, head.fullHeight];
      this.frame = head.frame;
      if (!head.moving) at("message").textContent = head.warnings.join(" ");
      const fit = this.layout();
      at("facts").textContent =
        `${head.fullWidth} × ${head.fullHeight} · ${Math.round(100 * fit)} %`;
      if (isNew) this.rest();
      this.onpicture?.(head);
    }
  }

  // Places the canvases, and returns the scale of the photo on the screen.
  layout() {
    if (!this.size) return 1;
    const [width, height] = this.room;
    const scale = Math.min(width / this.size[0], height / this.size[1]);
    const [w, h] = [this.size[0] * scale, this.size[1] * scale];
    const top = (this.view.clientHeight - h) / 2;
    const left = (this.view.clientWidth - (this.mode === "beside" ? 2 : 1) * w) / 2;
    const place = (element, x) => Object.assign(element.style,
      { left: `${x}px`, top: `${top}px`, width: `${w}px`, height: `${h}px` });
    const [after, before] = this.canvases;
    place(after, this.mode === "beside" ? left + w + 2 : left);
    place(before, left);
    place(at("overlay"), left);
    after.style.visibility = this.mode === "before" ? "hidden" : "visible";
    before.style.display = this.mode === "after" ? "none" : "block";
    before.style.clipPath =
      this.mode === "split" ? `inset(0 ${100 * (1 - this.divider)}% 0 0)` : "none";
    const divider = at("divider");
    divider.style.display = this.mode === "split" ? "block" : "none";
    Object.assign(divider.style,
      { left: `${left + w * this.divider}px`, top: `${top}px`, height: `${h}px` });
    divider.setAttribute("aria-valuenow", Math.round(100 * this.divider));
    this.box = { left, top, width: w, height: h };
    return this.full ? Math.max(w, h) / Math.max(...this.full) : 1;
  }

  // Changes the way of comparing: after, before, split or beside.
  compare(mode) {
    this.mode = this.mode === mode ? "after" : mode;
    for (const name of ["before", "split", "beside"]) {
      at(name).setAttribute("aria-pressed", String(this.mode === name));
    }
    this.layout();
    this.rest();
  }

  dividerKeys() {
    const divider = at("divider");
    const set = (value) => {
      this.divider = Math.min(1, Math.max(0, value));
      this.layout();
    };
    divider.addEventListener("pointerdown", (event) => {
      divider.setPointerCapture(event.pointerId);
      divider.onpointermove = (move) => set(
        (move.clientX - this.view.getBoundingClientRect().left - this.box.left) / this.box.width);
    });
    divider.addEventListener("pointerup", () => { divider.onpointermove = null; });
    divider.addEventListener("dblclick", () => set(0.5));
    divider.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -0.02, ArrowRight: 0.02, Home: -1, End: 1 }[event.key];
      if (step) { set(this.divider + step); event.preventDefault(); }
    });
  }
}
