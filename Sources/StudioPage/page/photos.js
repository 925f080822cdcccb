// The photo that is open.

import { changesMade } from "/edits.js";
import { awaitHandle } from "/focus.js";
import { beforeLateKeys, forgetLateKeys } from "/late.js";
import { hush, keep, sentences } from "/messages.js";
import { get } from "/server.js";
import { at, leaveTools, page, paint } from "/state.js";

// Until the next photo's settings are shown, the controls are those of the photo before, and have no effect. Keys of
// controls that are not typed into, and clicks, wait.
for (const kind of ["keydown", "input", "pointerdown"]) {
  addEventListener(kind, (event) => {
    if (page.opening == null || !event.target.closest?.("#settings, #overlay") || isLeaving(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
}

// Keys that move on to another photo or control, or that are not for the control.
const isLeaving = ({ type, key, ctrlKey, metaKey, altKey }) =>
  type === "keydown" && (ctrlKey || metaKey || altKey || [",", ".", "Tab", "Escape"].includes(key));

// Opens the photo that is so many places after this one, or after the one that is being opened.
export function openNeighbour(way) {
  const from = page.opening ?? page.number;
  const number = Math.min(page.session.total - 1, Math.max(0, from + way));
  if (number !== from) open(number);
}

export async function open(number) {
  if (number < 0 || number >= page.session.total || page.opening === number) return;
  page.opening = number;
  forgetLateKeys();
  await beforeLateKeys(() => show(number));
}

// Shows a photo. Returns false if it cannot be opened.
async function show(number) {
  await changesMade();
  if (page.opening !== number) return true;
  awaitHandle();
  leaveTools();
  const listed = await page.strip.photo(number);
  if (page.opening !== number) return true;
  keep("list", listed ? "" : `The list of photos cannot be read: ${page.strip.problem ?? "reload the page"}`);
  if (!listed) { page.opening = null; return false; }
  page.number = number;
  page.photo = { ...listed, own: page.photo?.id === listed.id ? page.photo.own : {} };
  page.strip.select(number);
  page.stage.open();
  hush();
  let isOpen = true;
  try {
    const photo = await get(`/api/photos/${listed.id}`);
    if (page.opening !== number) return true;
    page.photo = photo;
    if (photo.problem) {
      keep("picture", sentences(photo.problem));
      page.stage.empty();
    }
    at("live").textContent = `${photo.name}, ${number + 1} of ${page.session.total}`;
  } catch (error) {
    isOpen = false;
    if (page.opening === number) keep("photo", sentences(error));
  } finally {
    if (page.opening === number) page.opening = null;
  }
  paint();
  return isOpen;
}
