// The photo that is open.

import { changesMade } from "/edits.js";
import { hush, keep, sentences } from "/messages.js";
import { get } from "/server.js";
import { at, leaveTools, page, paint } from "/state.js";

// Until the next photo's settings are shown, the controls are those of the photo before, and have no effect.
for (const kind of ["keydown", "input", "pointerdown"]) {
  addEventListener(kind, (event) => {
    if (page.opening == null || !event.target.closest?.("#settings, #overlay") || isLeaving(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
}

// Keys that move on to another photo or control.
const isLeaving = ({ type, key }) => type === "keydown" && [",", ".", "Tab", "Escape"].includes(key);

export async function open(number) {
  if (number < 0 || number >= page.session.total || page.opening === number) return;
  page.opening = number;
  await changesMade();
  if (page.opening !== number) return;
  leaveTools();
  const listed = await page.strip.photo(number);
  if (page.opening !== number) return;
  keep("list", listed ? "" : `The list of photos cannot be read: ${page.strip.problem ?? "reload the page"}`);
  if (!listed) { page.opening = null; return; }
  page.number = number;
  page.photo = { ...listed, own: page.photo?.id === listed.id ? page.photo.own : {} };
  page.strip.select(number);
  page.stage.open();
  hush();
  try {
    const photo = await get(`/api/photos/${listed.id}`);
    if (page.opening !== number) return;
    page.photo = photo;
    if (photo.problem) {
      keep("picture", sentences(photo.problem));
      page.stage.empty();
    }
    at("live").textContent = `${photo.name}, ${number + 1} of ${page.session.total}`;
  } catch (error) {
    if (page.opening === number) keep("photo", sentences(error));
  } finally {
    if (page.opening === number) page.opening = null;
  }
  paint();
}
