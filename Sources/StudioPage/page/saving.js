// Save, Done and Cancel.

import { answer, ask, element } from "/dialogs.js";
import { attempt, idle, inTurn, renewPhoto, take } from "/edits.js";
import { complain, keep, say } from "/messages.js";
import { endStudio, post } from "/server.js";
import { announce, isUnsaved, page, when } from "/state.js";
import { changes, plural } from "/words.js";

// Names own settings that were dropped, because the recipe no longer uses them.
function lost(dropped) {
  if (dropped.length === 0) return "";
  const they = dropped.length === 1 ? "it" : "them";
  const settings = dropped.map(({ setting, photos }) => `${setting} of ${plural(photos, "photo")}`).join(", ");
  return `Not saved, because the recipe no longer uses ${they}: ${settings}. Undo brings ${they} back.`;
}

// True once something was saved.
let hasSaved = false;
// The last save, and the number of saves that are not finished.
let saving = Promise.resolve();
let unfinished = 0;

// Saves the edit; if a change is refused, nothing is saved. Resolves to true if it is saved.
export const save = () => (saving = saveAfter(saving));

async function saveAfter(earlier) {
  const isRepeated = unfinished > 0;
  unfinished += 1;
  try {
    // If nothing has changed since the earlier save, its message stays.
    return await earlier && isRepeated && await idle() && !isUnsaved() ? true : await saveNow();
  } finally { unfinished -= 1; }
}

// Saves, and says so if that takes a while, as it does while another command holds the library.
async function patiently() {
  const waits = setTimeout(() => keep("saving", page.edit.unsaved.photos
    ? "Saving waits, perhaps for another command that uses the library." : "Saving takes a while."), 600);
  try { return await post("/api/save"); } finally {
    clearTimeout(waits);
    keep("saving", "");
  }
}

async function saveNow() {
  if (!await idle()) return null;
  return attempt(async () => {
    const saved = await inTurn(patiently);
    hasSaved ||= saved.recipe || saved.photos > 0;
    // The studio has read the library again.
    keep("library", "");
    page.strip.refresh();
    // The result of the last check is out of date, so the button must not show it.
    announce("saved");
    take(saved.edit);
    const parts = changes(saved.recipe && "the recipe", saved.photos);
    const said = [parts && `Saved ${parts}.`, lost(saved.dropped)].filter(Boolean).join(" ");
    if (saved.dropped.length) complain(said);
    else say(said || "Nothing had changed.");
    if (page.photo) await renewPhoto(page.photo.id);
    // The neighbours are rendered in advance again, from what is saved now.
    page.stage.rest();
    return true;
  });
}

const stopping = "Stop the run?";

// Asks before a run is stopped; true if there is none, if it may be stopped, or if it ends by itself.
const mayEnd = async () => !page.run || ask(stopping,
  element("p", { textContent: "Photos that are finished stay; the others are rendered by the next run." }),
  [["Go on", false, true], ["Stop it", true]]);

// If photos have failed, the user sees why before the studio ends.
when("ended", ({ failed, problem }) => answer(stopping, !failed && !problem));

async function end(text, discard) {
  page.isEnding = true;
  const hasEnded = await attempt(async () => {
    await endStudio(discard);
    return true;
  });
  if (!hasEnded) {
    page.isEnding = false;
    page.strip.refresh();
    return;
  }
  page.live.end();
  document.body.classList.add("over");
  document.body.append(element("main", { className: "ended" }, element("div", { role: "status" },
    element("h1", { textContent: text }), element("p", { textContent: "You can close this tab." }))));
}

export async function done() {
  await saving;
  if (!await idle()) return;
  if (!await mayEnd()) return;
  if (isUnsaved() && !await save()) return;
  await end("Saved.", false);
}

export async function cancel() {
  await saving;
  await idle();
  if (!await mayEnd()) return;
  if (isUnsaved()) {
    const { recipe, photos } = page.edit.unsaved;
    const lost = changes(recipe && `the changes of ${page.session.recipe}`, photos);
    const isSure = await ask("End without saving?",
      element("p", { textContent: `These will be lost: ${lost}.` }),
      [["Go on editing", false, true], ["Lose the changes", true]]);
    if (!isSure) return;
  }
  await end(hasSaved ? "What was saved before stays." : "Nothing was saved.", true);
}
