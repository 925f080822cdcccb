// A photo's edits, and reverting them.

import { ask, element } from "/dialogs.js";
import { attempt, take } from "/edits.js";
import { keep, say, sentences } from "/messages.js";
import { open } from "/photos.js";
import { get, post } from "/server.js";
import { announce, page } from "/state.js";
import { plural } from "/words.js";

export async function history() {
  const { text, edits } = await attempt(() => get(`/api/history/${page.photo.id}`)) ?? {};
  if (text === undefined) return;
  const answer = await ask(`History of ${page.photo.name}`, element("pre", { textContent: text }),
    [["Revert all photos…", { whole: true }], ["Revert this photo", { photo: page.photo.id, whole: true }, false, edits === 0],
      ["Revert the newest edit", { photo: page.photo.id, whole: false }, false, edits === 0], ["Close", null, true]]);
  if (answer) await revert(answer);
}

// The studio says what would be lost, with a ticket for exactly that; without it, nothing is reverted.
async function revert(wish) {
  const loss = await attempt(() => post("/api/revert", wish));
  if (!loss) return;
  const content = [
    element("p", { textContent: `${plural(loss.photos, "photo")} and ${
      plural(loss.renditions, "rendition")} are concerned. This is removed:` }),
    element("pre", { textContent: loss.lost.join("\n") }),
    element("p", { textContent: "'phbatch undo' brings it back." })];
  const isSure = await ask("Revert?", content, [["Keep", false, true],
    [wish.photo ? "Revert" : `Revert ${plural(loss.photos, "photo")}`, true]]);
  if (!isSure) return;
  const reverted = await attempt(() => post("/api/revert", { ...wish, ticket: loss.ticket }));
  if (!reverted) return;
  // The photos stay reverted if the studio could not read the library again.
  keep("library", reverted.unread ? sentences(reverted.unread) : "");
  take(reverted);
  page.strip.refresh();
  await open(page.number);
  // Opening a photo ends what was said before.
  say(`Reverted ${plural(loss.photos, "photo")}.`);
  announce("saved");
}
