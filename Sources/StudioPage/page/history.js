// A photo's edits, and reverting them.

import { ask, element } from "/dialogs.js";
import { attempt, take } from "/edits.js";
import { open } from "/photos.js";
import { check } from "/runs.js";
import { get, post } from "/server.js";
import { page } from "/state.js";

export async function history() {
  const { text } = await attempt(() => get(`/api/history/${page.photo.id}`)) ?? {};
  if (text === undefined) return;
  const answer = await ask(`History of ${page.photo.name}`, element("pre", { textContent: text }),
    [["Revert the newest edit", "revert"], ["Close", null, true]]);
  if (answer !== "revert") return;
  const isSure = await ask("Revert?", element("p", { textContent:
    "The newest edit of this photo and its renditions are removed. 'phbatch undo' brings them back." }),
  [["Keep", false, true], ["Revert", true]]);
  if (isSure) {
    await attempt(async () => {
      take(await post(`/api/revert/${page.photo.id}`));
      page.strip.refresh();
      await open(page.number);
      check();
    });
  }
}
