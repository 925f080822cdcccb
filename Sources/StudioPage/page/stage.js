// The photo: pictures at display size, and the ways to compare them with the photo before the edit.

import { clearHistogram, measure } from "/histogram.js";
import { endSaid, showWarnings } from "/messages.js";
import { Pace } from "/pace.js";
import { announce, at } from "/state.js";

const sizeOf = (head) => [head.fullWidth, head.fullHeight];

export class Stage {
  // `request(picture)` asks the studio for a picture.
  constructor(live, subject) {
    this.live = live;
    this.subject = subject;
    this.mode = "after";
    this.divider = 0.5;
    this.shown = [0, 0];
    this.ahead = new Map();
    this.pace = new Pace();
    this.sent = null;
    this.next = null;
    this.centre = [0.5, 0.5];
    this.size = null;
    this.frame = null;
    this.view = at("view");
    this.canvases = [at("picture"), at("unedited")];
    new ResizeObserver(() => { this.layout(); this.rest(); }).observe(this.view);
    this.dividerKeys();
    this.loupeByPointer();
  }

  // The room for the picture in device pixels.
  get box() {
    const scale = window.devicePixelRatio || 1;
    return this.room.map((length) => Math.max(64, Math.round(length * scale)));
  }

  // The room for a picture that is stretched to the whole one.
  scaled(scale) { return this.box.map((length) => Math.max(64, Math.round(length * scale))); }

  // The part of the photo that is shown at 1:1, as [left, top, width, height] in its pixels.
  get part() {
    if (!this.isWhole || !this.full) return undefined;
    const [width, height] = this.box.map((length, axis) => Math.min(length, this.full[axis]));
    const start = (axis, length) =>
      Math.round(Math.min(Math.max(this.centre[axis] * this.full[axis] - length / 2, 0),
        this.full[axis] - length));
    return [start(0, width), start(1, height), width, height];
  }

  get room() {
    const width = this.view.clientWidth / (this.mode === "beside" ? 2 : 1);
    return [Math.max(64, width), Math.max(64, this.view.clientHeight)];
  }

  // Shows another photo; its first picture replaces what is shown.
  open() {
    this.size = null;
    this.full = null;
    this.sent = null;
    const subject = this.subject();
    const known = this.ahead.get(subject?.photo);
    if (known && !this.isWhole && this.isCurrent(known.head)) {
      this.rest(undefined, undefined, 0);
      this.paint(known.bitmap, known.head);
    } else this.begin();
    clearTimeout(this.late);
    this.late = setTimeout(() => { if (subject && this.painted !== subject.photo) at("facts").textContent = "rendering"; }, 400);
  }

  // True if a picture that was rendered in advance still shows the present edit.
  isCurrent(head) {
    const { output, mask, set, revision } = this.subject() ?? {};
    return head.revision === revision && String(head.box) === String(this.box)
      && head.output === output && !mask && Object.keys(set ?? {}).length === 0;
  }

  // Keeps the decoded picture of a neighbour. Few are kept, because each takes some megabytes.
  keep(head, bitmap) {
    this.ahead.get(head.photo)?.bitmap.close();
    this.ahead.delete(head.photo);
    this.ahead.set(head.photo, { head, bitmap });
    performance.mark("ahead", { detail: { photo: head.photo } });
    for (const [photo, other] of this.ahead) {
      if (this.ahead.size <= 4) break;
      other.bitmap.close();
      this.ahead.delete(photo);
    }
  }

  // Asks for a draft of half the size, which is there sooner than the picture at rest: a JPEG file is decoded at a
  // quarter instead of at half of its size, for example. The picture at rest is asked for when the draft has arrived,
  // or when that takes too long.
  begin() {
    this.next = null;
    this.wait();
    this.begun = this.ask({ moving: true, box: this.scaled(this.isWhole ? 1 : 1 / 2) });
    this.resting = setTimeout(() => this.rest(undefined, undefined, 0), 500);
  }

  // Asks for a picture while a setting moves. While one is on its way, only the newest value waits.
  // The picture at rest follows when the movement pauses.
  move(set, own) {
    endSaid();
    this.wait();
    this.begun = null;
    this.next = { set, own };
    if (!this.isBusy) this.askNext();
    this.resting = setTimeout(() => {
      this.resting = this.next = null;
      this.ask({ moving: false, set, own });
    }, 120);
  }

  // Ends the wait for a pause, and says that the picture will change.
  wait() {
    clearTimeout(this.resting);
    this.settle(false);
  }

  // Says whether the picture is the one at rest, of the present edit.
  settle(isAtRest) { this.canvases[0].ariaBusy = String(!isAtRest); }

  // A picture that does not arrive within a second is no longer awaited.
  get isBusy() { return this.sent !== null && performance.now() - this.sent.time < 1000; }

  askNext() {
    const wanted = this.next;
    this.next = null;
    if (!wanted) return;
    const scale = this.isWhole ? 1 : this.pace.scale;
    this.sent = { time: performance.now(), scale };
    this.sent.number = this.ask({ moving: true, ...wanted, box: this.scaled(scale) });
  }

  // Keeps a picture in the left pane: `pinned` has the photo, the number of the state, and a name.
  pin(pinned) {
    this.pinned = pinned;
    this.mode = "after";
    this.shown[1] = 0;
    this.compare("beside");
  }

  unpin() {
    this.pinned = null;
    this.sizeBefore = null;
    this.compare(this.mode);
  }

  // The picture in the left pane: the pinned picture, or the photo before its edit. A divider compares
  // only pictures of one photo.
  get reference() {
    const { pinned } = this;
    const photo = this.subject()?.photo;
    if (pinned && (this.mode === "beside" || this.mode === "split" && pinned.photo === photo)) {
      const { photo: id, pin, output } = pinned;
      return { photo: id, pin, output, set: {}, own: false, mask: undefined };
    }
    return { before: true, photo, mask: undefined };
  }

  // Where the picture at rest fits. It is shown pixel by pixel there, and drafts are stretched to its size.
  get fitting() { return [this.size, this.cut?.slice(2), this.box].join(" "); }

  // Asks for the picture at rest, a little after the last movement.
  rest(set, own, delay = 30) {
    this.next = this.begun = null;
    this.wait();
    this.resting = setTimeout(() => {
      this.resting = null;
      this.ask({ moving: false, set, own });
      if (this.mode !== "after") {
        this.ask({ moving: false, pane: 1, part: undefined, ...this.reference });
      }
      if (this.subject()?.mask) this.ask({ moving: false, set, own, pane: 5, mask: undefined });
      if (this.subject()?.readsDepth) this.ask({ moving: false, pane: 2, part: undefined, mask: undefined, depth: true });
    }, delay);
  }

  ask(request) {
    const subject = this.subject();
    if (!subject) return 0;
    const { set, ...more } = request;
    const { revision, readsDepth, ...wanted } = subject;
    const isPinned = request.pin !== undefined;
    const number = this.live.show({ ...wanted, box: this.box, part: this.part, ...more,
      set: isPinned ? {} : { ...subject.set, ...set }, own: request.own ?? subject.own });
    if (!request.pane) this.asked = number;
    return number;
  }

  // Takes a picture that has arrived.
  async see(head, blob) {
    if (head.pane === 3) {
      if (this.isCurrent(head)) this.keep(head, await createImageBitmap(blob));
      return;
    }
    if (head.pane === 2) {
      if (head.photo === this.subject()?.photo) announce("depths", await createImageBitmap(blob));
      return;
    }
    if (head.pane === 4) {
      announce("frame", head);
      return;
    }
    if (head.pane === 5) {
      if (head.photo === this.subject()?.photo) measure(await createImageBitmap(blob), head);
      return;
    }
    const subject = this.subject();
    const wanted = () => (head.pane === 1 ? this.reference.photo : this.subject()?.photo);
    if (!subject || head.photo !== wanted()) return;
    if (head.number < this.shown[head.pane]) return;
    const { sent } = this;
    const isAwaited = sent !== null && head.pane === 0 && head.number >= sent.number;
    if (isAwaited) {
      this.sent = null;
      // The next picture is computed while this one is decoded.
      this.askNext();
    }
    if (head.number === this.begun) this.rest(undefined, undefined, 0);
    const bitmap = await createImageBitmap(blob);
    if (isAwaited && head.moving) this.pace.take(performance.now() - sent.time, sent.scale, Math.max(...this.box));
    if (head.number < this.shown[head.pane] || head.photo !== wanted()) {
      bitmap.close();
      return;
    }
    this.shown[head.pane] = head.number;
    this.paint(bitmap, head);
    bitmap.close();
  }

  // Takes the number of a picture that failed; false if a later one is shown. Earlier pictures that arrive after it are
  // not shown.
  misses(number) {
    if (number < this.shown[0]) return false;
    this.shown[0] = number ?? this.shown[0];
    return true;
  }

  // Paints a picture, and what depends on it.
  paint(bitmap, source) {
    const head = source.pane === 3 ? { ...source, pane: 0 } : source;
    const canvas = this.canvases[head.pane];
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
    }
    const context = canvas.getContext("2d");
    // A transparent picture takes the place of the one before.
    context.globalCompositeOperation = "copy";
    context.drawImage(bitmap, 0, 0);
    if (head.pane === 0) {
      this.painted = head.photo;
      this.cut = head.part ?? null;
      canvas.dataset.part = head.part ?? "";
    }
    if (head.pane === 0 && !this.resting && head.number >= this.asked) {
      // The view can have had another size for a moment, which no observer has seen.
      if (head.moving || String(head.box) === String(this.box)) this.settle(true);
      else this.rest();
    }
    performance.mark("shown", { detail: { number: head.number,
      photo: head.photo, pane: head.pane, moving: head.moving } });
    if (head.pane === 0) measure(bitmap, head);
    if (head.pane === 1) {
      this.sizeBefore = sizeOf(head);
      this.layout();
    }
    if (head.pane === 0) {
      const before = String(this.full);
      this.size = this.full = sizeOf(head);
      this.frame = head.frame;
      if (!head.moving) this.fitted = { place: this.fitting, pixels: [bitmap.width, bitmap.height] };
      showWarnings(head);
      const fit = this.layout();
      at("facts").textContent =
        `${this.full.join(" × ")} · ${Math.round(100 * fit)} %`;
      // The part at 1:1 depends on the size of the rendition, which is known from the first picture.
      if (this.isWhole && before !== String(this.full)) this.rest();
      this.onpicture?.(head);
    }
  }

  // Removes the picture of another photo than the one that is open.
  empty() {
    const photo = this.subject()?.photo;
    if (this.painted === photo) return;
    this.painted = photo;
    const canvas = this.canvases[0];
    canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
    canvas.dataset.part = "";
    at("facts").textContent = "";
    clearHistogram();
    announce("empty");
  }

  // Places the canvases, and returns the scale of the photo on the screen.
  layout() {
    if (!this.size) return 1;
    const [width, height] = this.room;
    const dense = window.devicePixelRatio || 1;
    const [fullWidth, fullHeight] = this.cut ? this.cut.slice(2) : this.size;
    const scale = this.cut ? 1 / dense : Math.min(width / fullWidth, height / fullHeight);
    // Whole device pixels, so that the browser resamples nothing.
    const whole = [fullWidth, fullHeight].map((length) => Math.round(length * scale * dense));
    const { place: known, pixels } = this.fitted ?? {};
    const isFitted = known === this.fitting && pixels.every((length, axis) => Math.abs(length / whole[axis] - 1) < 0.05);
    const [w, h] = (isFitted ? pixels : whole).map((length) => length / dense);
    const { left: x0, top: y0 } = this.view.getBoundingClientRect();
    const snap = (start, length) => Math.round((start + length) * dense) / dense - start;
    const top = snap(y0, (this.view.clientHeight - h) / 2);
    const left = snap(x0, (this.view.clientWidth - (this.mode === "beside" ? 2 : 1) * w) / 2);
    const place = (element, x, y = top, across = w, down = h) => Object.assign(element.style,
      { left: `${x}px`, top: `${y}px`, width: `${across}px`, height: `${down}px` });
    const [after, before] = this.canvases;
    place(after, this.mode === "beside" ? left + w + 2 : left);
    // A pinned photo may have another shape than the one beside it.
    const pinned = this.pinned && this.mode === "beside" ? this.sizeBefore : null;
    const fit = pinned ? Math.min(width / pinned[0], height / pinned[1]) : 0;
    const [bw, bh] = pinned ? pinned.map((length) => length * fit) : [w, h];
    place(before, left + w - bw, snap(y0, (this.view.clientHeight - bh) / 2), bw, bh);
    this.nameSides(left, after.offsetLeft);
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
    this.place = { left, top, width: w, height: h };
    announce("layout");
    return w * dense / fullWidth;
  }

  // Says which side is which, at the upper edge: left and right of the divider, or over each of two pictures.
  nameSides(left, right) {
    const isTwo = this.mode === "split" || this.mode === "beside";
    const isPinned = isTwo && this.reference.pin !== undefined;
    at("pinned").textContent = isPinned ? `${this.pinned.name}, pinned` : isTwo ? "Before" : "";
    at("edited").textContent = isTwo ? isPinned ? "Now" : "After" : "";
    at("pinned").style.left = `${Math.max(0, this.mode === "split" ? left : this.canvases[1].offsetLeft)}px`;
    Object.assign(at("edited").style, this.mode === "split" ? { left: "auto", right: `${Math.max(0, left)}px` }
      : { left: `${right}px`, right: "auto" });
  }

  // Changes the way of comparing: after, before, split or beside.
  compare(mode) {
    if (this.isWhole && this.mode === "after") this.loupe();
    this.mode = this.mode === mode ? "after" : mode;
    for (const name of ["before", "split", "beside"]) {
      at(name).setAttribute("aria-pressed", String(this.mode === name));
    }
    at("pin").setAttribute("aria-pressed", String(Boolean(this.pinned)));
    at("unedited").setAttribute("aria-label",
      this.pinned ? `${this.pinned.name}, pinned` : "The photo before the edit");
    this.layout();
    this.rest();
  }

  // Shows the photo at 1:1 around a place, 0…1 of the photo, or the whole photo again.
  loupe(place) {
    this.isWhole = !this.isWhole;
    if (place) this.centre = place;
    at("loupe").setAttribute("aria-pressed", String(this.isWhole));
    this.view.classList.toggle("whole", this.isWhole);
    if (this.isWhole && this.mode !== "after") this.compare(this.mode);
    this.rest();
  }

  // Moves the part that is shown at 1:1 by shares of its size.
  pan(across, down) {
    const { part } = this;
    if (!part) return;
    this.centre = [across, down].map((share, axis) => {
      const half = part[2 + axis] / 2;
      const centre = part[axis] + half + share * part[2 + axis];
      return Math.min(this.full[axis] - half, Math.max(half, centre)) / this.full[axis];
    });
    this.rest(undefined, undefined, 0);
  }

  // The place of a pointer, 0…1 of the photo.
  placeOf(event) {
    const box = this.view.getBoundingClientRect();
    const { left, top, width, height } = this.place;
    const [x0, y0, w, h] = this.cut ?? [0, 0, ...this.full];
    return [(x0 + w * (event.clientX - box.left - left) / width) / this.full[0],
      (y0 + h * (event.clientY - box.top - top) / height) / this.full[1]];
  }

  loupeByPointer() {
    this.view.addEventListener("dblclick", (event) => {
      if (this.full && event.target.tagName === "CANVAS") this.loupe(this.placeOf(event));
    });
    this.view.addEventListener("pointerdown", (event) => {
      if (!this.cut || event.target.tagName !== "CANVAS") return;
      const { clientX, clientY } = event;
      const { centre } = this;
      const dense = window.devicePixelRatio || 1;
      const move = (now) => {
        const { full } = this;
        // The size of the next photo is not known before its first picture.
        if (!full) return;
        this.centre = [now.clientX - clientX, now.clientY - clientY].map((way, axis) =>
          Math.min(1, Math.max(0, centre[axis] - way * dense / full[axis])));
        this.rest();
      };
      addEventListener("pointermove", move);
      addEventListener("pointerup", () => removeEventListener("pointermove", move), { once: true });
    });
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
        (move.clientX - this.view.getBoundingClientRect().left - this.place.left) / this.place.width);
    });
    divider.addEventListener("pointerup", () => { divider.onpointermove = null; });
    divider.addEventListener("dblclick", () => set(0.5));
    divider.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -0.02, ArrowRight: 0.02, Home: -1, End: 1 }[event.key];
      if (step) { set(this.divider + step); event.preventDefault(); }
    });
  }
}
