// Changes that an earlier studio did not save, because it was ended by a crash.

import { ask, element, tell } from "/dialogs.js";
import { attempt, take } from "/edits.js";
import { complain } from "/messages.js";
import { get, post } from "/server.js";
import { page } from "/state.js";
import { changes, plural } from "/words.js";

// Says that the draft of an earlier studio cannot be read, and where its file is.
async function tellUnreadable({ path, renamed }) {
  await tell("Earlier changes cannot be read",
    `A draft has changes that were not saved, but it is damaged, or another version of phbatch wrote it. ${
      renamed ? `The file is kept as ${path}.` : `The file ${path} stays as it is.`}`,
    renamed ? "" : "Until you move this file away, a crash of this studio loses the changes that are not saved.");
}

const time = (date) => new Date(date).toLocaleString();

// Says what a damaged draft has lost, and where a copy of its file is.
function loss({ lines, lostUntil, copy }) {
  const lost = lostUntil
    ? `all changes until ${time(lostUntil)}${lines > 1 ? ` and ${plural(lines - 1, "later change")}` : ""}`
    : plural(lines, "change");
  return `The draft is damaged: ${lost} cannot be read. Continue brings back the others. The damaged file is kept as ${copy}.`;
}

export async function offerDraft() {
  const { unreadableDraft } = page.session;
  if (unreadableDraft) await tellUnreadable(unreadableDraft);
  const { draft } = page.edit;
  if (!draft) return;
  const lines = [element("p", { textContent:
    `Changes of ${changes(draft.recipe && "the recipe", draft.photos)} were not saved, the last one at ${
      time(draft.date)}.` })];
  if (draft.damage) lines.push(element("p", { textContent: loss(draft.damage) }));
  if (draft.outdated) {
    lines.push(element("p", { textContent:
      "The recipe's file was changed since then. If you continue, Save does not overwrite that version." }));
  }
  for (;;) {
    const answer = await ask("Continue the earlier changes?", lines,
      [["Discard", "discard"], ["Continue", "continue", true]]);
    // Escape decides nothing, and the changes must not be lost.
    if (answer) {
      const answered = await attempt(() => post("/api/draft", { action: answer }));
      if (answered) {
        take(answered);
        if (answered.missing) {
          complain(`Settings of ${plural(answered.missing, "photo")} stay in the draft, because the library does not have ${answered.missing === 1 ? "it" : "them"}.`);
        }
        return;
      }
      const { edit } = await attempt(() => get("/api/session")) ?? {};
      if (edit) take(edit);
      if (!page.edit.draft) return;
    }
  }
}
