// The histogram of the picture that is shown, and the share of pixels at the ends of the range.

import { announce, at } from "/state.js";

const width = 320;
const small = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const colours = ["#f44", "#4d4", "#58f"];
// The picture without the mask in red, if it has arrived, and whether the one with it is shown.
let plain = null;
let isPainted = false;
// The least time between two histograms while a setting moves, in milliseconds.
const pause = 150;
let counted = 0;

// The canvas with the picture without the mask in red; null if it has not arrived yet.
export const plainPicture = () => (isPainted ? plain : at("picture"));

// Measures a picture. While the one that is shown has the mask in red, that of pane 5 is the same picture without it.
export function measure(bitmap, head) {
  if (head.pane === 0) isPainted = head.painted;
  // While a setting moves, the histogram must not take time from the pictures.
  const now = performance.now();
  if (head.painted || head.moving && now - counted < pause) return;
  counted = now;
  paintHistogram(bitmap);
  if (head.pane === 0) return;
  plain = document.createElement("canvas");
  [plain.width, plain.height] = [bitmap.width, bitmap.height];
  plain.getContext("2d").drawImage(bitmap, 0, 0);
  announce("measured", plain);
}

function paintHistogram(bitmap) {
  small.canvas.width = Math.min(width, bitmap.width);
  small.canvas.height = Math.max(1, Math.round(bitmap.height * small.canvas.width / bitmap.width));
  small.imageSmoothingEnabled = false;
  // Transparent parts are shown on white.
  small.fillStyle = "#fff";
  small.fillRect(0, 0, small.canvas.width, small.canvas.height);
  small.drawImage(bitmap, 0, 0, small.canvas.width, small.canvas.height);
  const { data } = small.getImageData(0, 0, small.canvas.width, small.canvas.height);
  const counts = [0, 1, 2].map(() => new Uint32Array(256));
  let [white, black] = [0, 0];
  for (let place = 0; place < data.length; place += 4) {
    const [red, green, blue] = [data[place], data[place + 1], data[place + 2]];
    counts[0][red] += 1;
    counts[1][green] += 1;
    counts[2][blue] += 1;
    if (red === 255 || green === 255 || blue === 255) white += 1;
    if (red === 0 && green === 0 && blue === 0) black += 1;
  }
  // The ends are left out of the scale: a white background would flatten everything else.
  const most = Math.max(1, ...counts.flatMap((channel) => [...channel.subarray(1, 255)]));
  const canvas = at("histogram");
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.globalCompositeOperation = "lighter";
  counts.forEach((channel, index) => {
    context.fillStyle = colours[index];
    context.beginPath();
    context.moveTo(0, canvas.height);
    channel.forEach((count, value) => {
      context.lineTo(value, canvas.height * (1 - Math.min(1, count / most)));
    });
    context.lineTo(255, canvas.height);
    context.fill();
  });
  const share = (count) => `${(400 * count / data.length).toFixed(1)} %`;
  const text = `At white ${share(white)}, black ${share(black)}`;
  at("clipped").textContent = text;
  canvas.setAttribute("aria-label", `Histogram. ${text}`);
}

export function clearHistogram() {
  const canvas = at("histogram");
  canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
  canvas.setAttribute("aria-label", "Histogram");
  at("clipped").textContent = "";
}
