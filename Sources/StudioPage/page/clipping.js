// Marks the parts of the picture that are clipped: white in red, black in blue.

import { plainPicture } from "/histogram.js";
import { at, page, when } from "/state.js";

// The least time between two pictures that are marked while a setting moves, in milliseconds.
const pause = 150;
let isOn = false;
let marked = 0;

// The colours of the marks as numbers of four bytes, red first.
const [red, blue] = [0xff2020ff, 0xffff4020];

// Counts as the histogram does: a channel at 255 is clipped white, all channels at 0 are clipped black.
function mark(picture = plainPicture()) {
  if (!picture) return;
  const canvas = at("clipping");
  const { width, height } = picture;
  [canvas.width, canvas.height] = [width, height];
  const { data } = picture.getContext("2d").getImageData(0, 0, width, height);
  const marks = new ImageData(width, height);
  const colours = new Uint32Array(marks.data.buffer);
  for (let place = 0; place < data.length; place += 4) {
    // Transparent parts are shown on white.
    const white = 255 - data[place + 3];
    const [r, g, b] = white === 0 ? [data[place], data[place + 1], data[place + 2]]
      : [0, 1, 2].map((band) => Math.round(white + data[place + band] * data[place + 3] / 255));
    if (r === 255 || g === 255 || b === 255) colours[place / 4] = red;
    else if (r === 0 && g === 0 && b === 0) colours[place / 4] = blue;
  }
  canvas.getContext("2d").putImageData(marks, 0, 0);
  marked = performance.now();
}

function layout() {
  const canvas = at("clipping");
  canvas.hidden = !isOn || page.stage.mode === "before";
  const { left, top, width, height } = at("picture").style;
  Object.assign(canvas.style, { left, top, width, height,
    clipPath: page.stage.mode === "split" ? `inset(0 0 0 ${100 * page.stage.divider}%)` : "none" });
}

export function toggleClipping() {
  isOn = !isOn;
  at("clip").setAttribute("aria-pressed", String(isOn));
  layout();
  if (isOn) mark();
}

when("layout", layout);
when("picture", (head) => { if (isOn && !head.painted && (!head.moving || performance.now() - marked > pause)) mark(); });
when("measured", (plain) => { if (isOn) mark(plain); });
when("empty", () => at("clipping").getContext("2d").reset());
