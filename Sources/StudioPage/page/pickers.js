// The buttons that take settings from a place in the photo.

import { element } from "/dialogs.js";
import { attempt, set, setAll } from "/edits.js";
import { pick } from "/pick.js";
import { post } from "/server.js";
import { page, valueOf } from "/state.js";

const isPosition = ({ schema }) => schema.type === "array" && schema.items?.type === "number"
  && schema.minItems === 2 && schema.maxItems === 2;

const button = (text, title, action) =>
  element("div", { className: "setting" },
    element("button", { textContent: text, title, onclick: action }));

// The temperature and the tint of a light under which a place is grey.
function balance(step, colour) {
  return attempt(() => setAll(step, "Grey point", async (now) => {
    const light = await post("/api/grey", { colour });
    const values = { temperature: light.temperature, tint: light.tint };
    // `kelvin` would set the temperature of the light a second time.
    if (valueOf(now, "kelvin", null).value != null) values.kelvin = null;
    return values;
  }));
}

function focus(step, setting, place) {
  const values = { [setting.name]: place };
  // A crop has a focus only if that is how it finds its part.
  if (step.raw.filter === "smartCrop" && valueOf(step, "strategy", null).value !== "focal") values.strategy = "focal";
  if (valueOf(step, "colour", null).value != null) values.colour = null;
  setAll(step, "Place", values);
}

// The buttons for the settings of a step.
export function pickers(step, filter) {
  if (!page.photo) return [];
  const rows = filter.settings.filter(isPosition).map((setting) =>
    button("Choose the place in the photo", `Sets ${setting.name} by a click`, () =>
      pick(step, "click on the place; arrow keys move the cross, and Enter chooses it",
        (place) => focus(step, setting, place))));
  if (step.raw.filter === "whiteBalance") {
    rows.push(button("Pick a grey point", "Makes a place that you click on neutral grey", () =>
      pick(step, "click on something grey; arrow keys move the cross, and Enter chooses it",
        (_, colour) => balance(step, colour))));
  }
  return rows;
}

// The lightness of OKLab of a colour in linear light, 0…1.
// Source: B. Ottosson, "A perceptual color space for image processing", 2020.
export function lightness([r, g, b]) {
  const cones = [0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b,
    0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
    0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b].map(Math.cbrt);
  return 0.2104542553 * cones[0] + 0.793617785 * cones[1] - 0.0040720468 * cones[2];
}

const hex = (colour) => `#${colour.map((v) => {
  const encoded = v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055;
  return Math.round(255 * encoded).toString(16).padStart(2, "0");
}).join("")}`;

const round = (value) => Number(Math.min(1, Math.max(0, value)).toFixed(3));

const maskButtons = { luminance: "Pick a tone", colour: "Pick a colour", depth: "Pick a distance" };

// The button of a mask by tone, by colour or by depth. It cannot be used for a photo that has no depth map.
export function maskPicker(step, mask, kind, isLacking) {
  const row = button(maskButtons[kind], "The mask covers what is similar to the place that you click on", () =>
    pick(step, "click on a part that the mask should cover; arrow keys move the cross, and Enter chooses it",
      (_, colour, depth) => {
        const around = (middle) => {
          // A range that ends at 0 or 1 was cut off there, so its width is not the one that was wanted.
          const { min = 0, max = 1 } = mask[kind];
          const half = (max - min) / 2;
          const width = half > 0 && min > 0 && max < 1 ? half : 0.15;
          return { min: round(middle - width), max: round(middle + width) };
        };
        const values = kind === "colour" ? { colour: hex(colour) } : around(kind === "depth" ? depth : lightness(colour));
        set(step, "mask", (now) => ({ ...now, [kind]: { ...now?.[kind], ...values } }));
      }, kind === "depth"));
  row.firstChild.disabled = !page.photo || isLacking;
  return row;
}
