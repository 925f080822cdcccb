// A photo's edits, and reverting them.

import { ask, element } from "/dialogs.js";
import { attempt, take } from "/edits.js";
import { open } from "/photos.js";
import { get, post } from "/server.js";
import { announce, page, say } from "/state.js";
import { plural } from "/words.js";

export async function history() {
  const { text } = await attempt(() => get(`/api/history/${page.photo.id}`)) ?? {};
  if (text === undefined) return;
  const answer = await ask(`History of ${page.photo.name}`, element("pre", { textContent: text }),
    [["Revert all photos…", { whole: true }], ["Revert this photo", { photo: page.photo.id, whole: true }],
      ["Revert the newest edit", { photo: page.photo.id, whole: false }], ["Close", null, true]]);
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
  await attempt(async () => {
    take(await post("/api/revert", { ...wish, ticket: loss.ticket }));
    page.strip.refresh();
    await open(page.number);
    // Opening a photo clears the message.
    say(`Reverted ${plural(loss.photos, "photo")}.`);
    announce("saved");
  });
}
