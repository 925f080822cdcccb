// Check and Run.

import { ask, element, tell } from "/dialogs.js";
import { attempt } from "/edits.js";
import { save } from "/saving.js";
import { get, post } from "/server.js";
import { at, page, say, when } from "/state.js";

export async function check() {
  try {
    page.due = (await get("/api/check")).due;
    page.strip.renew();
  } catch { page.due = null; }
  paintRun();
}

function paintRun() {
  const button = at("run");
  if (page.run) button.textContent = `Stop · ${page.run.done} of ${page.run.total}`;
  else if (page.due == null) button.textContent = "Check";
  else button.textContent = page.due ? `Run ${page.due} ▸` : "Up to date";
  button.disabled = !page.run && page.due === 0;
}

export async function runOrStop() {
  if (page.run) return attempt(() => post("/api/stop"));
  if (page.due == null) return check();
  const { unsaved } = page.edit;
  if (unsaved.recipe || unsaved.photos.length) {
    const answer = await ask("Save first?", element("p", { textContent: "A run uses the saved recipe and settings." }),
      [["Not now", false], ["Save and run", true, true]]);
    if (!answer || !await save()) return null;
  }
  return attempt(async () => {
    await post("/api/run");
    page.run = { done: 0, total: page.due };
    paintRun();
  });
}

export async function runEvent(run) {
  if (!run.ended) { page.run = run; paintRun(); return; }
  page.run = null;
  page.strip.refresh();
  const text = run.problem ? `${run.problem} ${run.hint}`
    : `${run.stopped ? "Stopped" : "Ran"}: ${run.done - run.failed} done, ${run.failed} failed.`;
  say(text);
  if (run.failures.length) await tell("Some photos failed", run.failures.join("\n"));
  check();
}

when("saved", check);
