// The data for masks that the open photo does not have: a depth map, mattes, faces.

import { get } from "/server.js";
import { page, paint, when } from "/state.js";

// The data that one photo does not have, by name, each with the sentence that states this. Faces are searched only if
// a mask needs them.
let known = { photo: null, facesToo: false, lacks: {} };

// The data that a mask, or a part of one, reads from the photo's file, each with the name by which the studio knows it, and with what
// happens to a photo without it.
function needs(mask, subject = "the mask") {
  if (mask === null || typeof mask !== "object") return [];
  const { depth, matte, face, add, subtract, intersect, invert } = mask;
  const parts = add ?? subtract ?? intersect;
  if (Array.isArray(parts)) return parts.flatMap((part) => needs(part, "this part of the mask"));
  const found = depth ?? matte;
  const then = found?.missing !== "nothing" ? "the photo fails"
    : `${subject} covers ${invert === true ? "all" : "nothing"} of it`;
  if (found) return [{ name: depth ? "depth" : matte.of, then }];
  return face ? [{ name: "face" }] : [];
}

async function load(photo, facesToo) {
  known = { photo, facesToo, lacks: {} };
  let lacks;
  // If the photo cannot be read, its picture says so.
  try { lacks = await get(`/api/photos/${photo}/lacks${facesToo ? "?faces=true" : ""}`); } catch { return; }
  if (known.photo !== photo || known.facesToo !== facesToo) return;
  known.lacks = lacks;
  paint();
}

// Says what the open photo does not have for a mask; empty if nothing is missing, or if it is not known yet.
export function lacking(mask) {
  const needed = needs(mask);
  if (!page.photo || !needed.length) return "";
  const facesToo = needed.some(({ name }) => name === "face");
  if (known.photo !== page.photo.id || (facesToo && !known.facesToo)) {
    load(page.photo.id, facesToo);
    return "";
  }
  const said = needed.filter(({ name }) => known.lacks[name]).map(({ name, then }) =>
    `${known.lacks[name]}${then ? `; ${then}` : ""}.`);
  return [...new Set(said)].map((text) => text[0].toUpperCase() + text.slice(1)).join(" ");
}

// A save, a run or a revert can change the image that the edit starts from.
when("saved", () => { known = { photo: null, facesToo: false, lacks: {} }; });
