// The shapes of masks that can be chosen, each with the value that it starts with and its settings.

import { plural } from "/words.js";

// A number of a mask: its name, its path in the mask, its usual range, and its value if it is left out.
const number = (name, path, usual, standard = usual[0], more = {}) => ({ name, path, usual, standard, ...more });
const part = (name, path, standard = 0, more = {}) => number(name, path, [0, 1], standard, more);
const isFraction = { schema: { type: "number", minimum: 0, maximum: 1 } };
const isOptional = { isOptional: true };
const feather = (shape, most, standard = 0) =>
  number("maskFeather", `${shape}.feather`, [0, most], standard, { ...isFraction, ...isOptional });
const range = (shape, low, high) => [part(low, `${shape}.min`, 0, { ...isFraction, ...isOptional }),
  part(high, `${shape}.max`, 1, { ...isFraction, ...isOptional }), feather(shape, 0.5, 0.1)];
// The setting for photos whose file does not have the data of the mask: they stay unchanged, or fail.
const missing = (shape) => ({ name: "photosWithoutIt", path: `${shape}.missing`, standard: "fail",
  choices: (mask) => [["nothing", mask.invert === true ? "change everywhere" : "stay unchanged"], ["fail", "fail"]] });
const mattes = ["skin", "hair", "teeth", "glasses", "sky"];
const faces = [["skin", "skin"], ["eyes", "eyes"], ["all", "all of the face"]];
const length = { schema: { type: "number", minimum: 0.001, maximum: 10 } };

export const shapes = {
  linear: { name: "linear", hasHandles: true, start: { from: [0.5, 0.7], to: [0.5, 0.3] },
    settings: () => ["maskFrom", "maskTo"].flatMap((end) => {
      const key = end === "maskFrom" ? "from" : "to";
      return [part(`${end}X`, `linear.${key}.0`), part(`${end}Y`, `linear.${key}.1`)];
    }) },
  radial: { name: "radial", hasHandles: true, start: { center: [0.5, 0.5], radius: 0.6, feather: 0.5 },
    settings: ({ radial }) => [part("maskCentreX", "radial.center.0", 0.5), part("maskCentreY", "radial.center.1", 0.5),
      number("maskRadius", "radial.radius", [0.02, 2], 0.02, length),
      number("maskHeight", "radial.height", [0.02, 2], radial?.radius, { ...length, ...isOptional }),
      number("maskAngle", "radial.angle", [-180, 180], 0,
        { unit: "degrees", schema: { type: "number", minimum: -180, maximum: 180 }, ...isOptional }),
      feather("radial", 1, 0.5)] },
  polygon: { name: "polygon", hasHandles: true,
    start: { points: [[0.3, 0.3], [0.7, 0.3], [0.7, 0.7], [0.3, 0.7]], feather: 0.05 },
    settings: () => [feather("polygon", 0.5)],
    corners: ({ polygon }) => (Array.isArray(polygon?.points) ? polygon.points : []).flatMap((_, index) =>
      ["X", "Y"].map((axis, place) => part(`maskCorner${index + 1}${axis}`, `polygon.points.${index}.${place}`, 0,
        { title: `Corner ${index + 1} ${axis.toLowerCase()}` }))) },
  luminance: { name: "tone", canPick: true, start: { min: 0.5, max: 1, feather: 0.1 },
    settings: () => range("luminance", "maskDarkest", "maskBrightest") },
  colour: { name: "colour", canPick: true, start: { colour: "#808080", tolerance: 0.1, feather: 0.05 },
    settings: () => [{ name: "maskColour", path: "colour.colour", standard: "#808080", isColour: true },
      number("maskTolerance", "colour.tolerance", [0, 0.4], 0.05, { ...isFraction, ...isOptional }), feather("colour", 0.4, 0.05)] },
  depth: { name: "depth", canPick: true, canLack: true, start: { min: 0.5, max: 1, feather: 0.1, missing: "nothing" },
    settings: () => [...range("depth", "maskFarthest", "maskNearest"), missing("depth")] },
  matte: { name: "matte of the camera", canLack: true, start: { of: "skin", missing: "nothing" },
    settings: () => [{ name: "matte", path: "matte.of", choices: [["portrait", "people"], ...mattes.map((name) => [name, name])] },
      feather("matte", 0.2), missing("matte")] },
  face: { name: "faces", canLack: true, start: "skin",
    settings: () => [{ name: "partOfFaces", path: "face", choices: faces }] },
};

export const density = part("maskDensity", "density", 1, { ...isFraction, ...isOptional });

const combinations = { add: "added", subtract: "subtracted", intersect: "intersected" };

// The name of a mask that cannot be chosen here.
export function nameOf(mask) {
  const combined = Object.keys(combinations).find((name) => Array.isArray(mask[name]));
  if (combined) return `${plural(mask[combined].length, "mask")}, ${combinations[combined]}`;
  return mask.image ? `image ${mask.image.file}` : "other";
}

// The kind of a mask by its shape; `other` if it cannot be chosen here, `none` without a mask.
export const kindOf = (mask) => (mask ? Object.keys(shapes).find((name) => name in mask) ?? "other" : "none");

// A mask of another kind, which keeps what stands beside the shape. A blur of the coverage is not possible for masks
// that depend on each pixel's colour.
export function withShape(mask, kind) {
  const start = structuredClone(shapes[kind].start);
  if (!mask) return { [kind]: start };
  const beside = ["invert", "density", "comment", ...(["luminance", "colour"].includes(kind) ? [] : ["feather"])];
  const entries = Object.entries(mask);
  const shape = entries.findIndex(([key]) => !["invert", "density", "comment", "feather"].includes(key));
  return Object.fromEntries(entries.flatMap(([key, value], index) =>
    (index === shape ? [[kind, start]] : beside.includes(key) ? [[key, value]] : [])));
}
