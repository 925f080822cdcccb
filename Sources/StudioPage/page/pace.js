// The size of the pictures that are shown while a setting moves.

const scales = [1, 2 / 3, 1 / 2, 1 / 3];
// The milliseconds that a picture may take until it is decoded, for each pixel of the longer edge of the room for it:
// 23 ms at 1024 pixels. It is on the screen one or two frames later.
const most = 0.022;
// A larger picture is tried if it can be expected to take this share of the time.
const enough = 0.8;

export class Pace {
  constructor() {
    this.place = 0;
    this.late = 0;
  }

  // The scale of the next picture.
  get scale() { return scales[this.place]; }

  // Takes the milliseconds of a picture of some scale, and the longer edge of the room.
  take(time, scale, edge) {
    if (this.scale !== scale) return;
    const limit = most * edge;
    if (time > limit && this.place < scales.length - 1) {
      this.late += 1;
      if (this.late > 1 || time > 2 * limit) { this.place += 1; this.late = 0; }
      return;
    }
    this.late = 0;
    if (this.place === 0) return;
    const larger = scales[this.place - 1] / scale;
    if (time * larger * larger < enough * limit) this.place -= 1;
  }
}
