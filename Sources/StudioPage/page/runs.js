// Check and Run.

import { ask, element, tell } from "/dialogs.js";
import { attempt, idle } from "/edits.js";
import { keep, say, sentences } from "/messages.js";
import { save } from "/saving.js";
import { get, post } from "/server.js";
import { announce, at, isUnsaved, page, when } from "/state.js";
import { listed, plural } from "/words.js";

// A check of many photos is slow, so it starts only when the user presses the button.
const many = 2000;
export function checkIfQuick() {
  page.due = null;
  // The result of a check that is still in progress would be out of date.
  page.checks = (page.checks ?? 0) + 1;
  page.check = null;
  if (page.session.total <= many) return check();
  paintRun();
  return null;
}

export async function check() {
  const number = (page.checks ?? 0) + 1;
  page.checks = number;
  page.check = { done: 0, total: page.session.total };
  paintRun();
  let found = {};
  let problem = "";
  try { found = await get("/api/check"); } catch (error) { problem = `The check failed: ${sentences(error)}`; }
  // A later check has taken the place of this one.
  if (number !== page.checks) return;
  keep("check", problem);
  keep("unread", found.problems?.length
    ? `These folders and files cannot be read; their photos are left out:\n${found.problems.join("\n")}` : "");
  page.check = null;
  page.due = found.due ?? null;
  page.blocked = found.blocked ?? 0;
  page.failing = found.failed ?? 0;
  page.unread = found.unread ?? 0;
  page.strip.renew();
  paintRun();
}

export function checkEvent(check) {
  if (!page.check) return;
  page.check = check;
  paintRun();
}

// True if the button saves before it runs. What is due then is not known before the save.
const savesToo = () => page.due != null && isUnsaved() && !page.session.readOnly;

function paintRun() {
  const button = at("run");
  if (page.check && page.check.done > 0) {
    button.textContent = `Stop check · ${page.check.done} of ${page.check.total}`;
  } else if (page.check) button.textContent = "Checking…";
  else if (page.run) button.textContent = `Stop · ${page.run.done} of ${page.run.total}`;
  else if (savesToo()) button.textContent = "Save and run ▸";
  else if (page.due == null) button.textContent = "Check";
  else if (page.due) button.textContent = `Run ${page.due} ▸`;
  else if (page.blocked) button.textContent = `${plural(page.blocked, "photo")} blocked`;
  else if (page.failing) button.textContent = `${plural(page.failing, "photo")} cannot be rendered`;
  else button.textContent = page.unread ? "Not all can be read" : "Up to date";
  const why = [page.blocked && `${plural(page.blocked, "photo")} cannot be rendered before you decide`,
    page.failing && `${plural(page.failing, "photo")} cannot be rendered`].filter(Boolean);
  button.title = why.length && !page.check && !page.run ? `${why.join("; ")}. ${
    (page.blocked ?? 0) + (page.failing ?? 0) === 1 ? "The photo's badge says why" : "The photos' badges say why"}.` : "";
  const isForbidden = page.session.readOnly && page.due > 0 && !page.run && !page.check;
  if (isForbidden) button.title = "The studio was opened with --read-only.";
  // A button that is disabled would lose the focus.
  button.ariaDisabled = isForbidden || (page.check ? page.check.done === 0 : !page.run && page.due === 0 && !page.unread && !savesToo());
}
when("paint", paintRun);

// True from the press of the button until the run has begun; a second press then has no effect.
let isStarting = false;

export async function runOrStop() {
  if (at("run").ariaDisabled === "true") return null;
  if (page.run || page.check) return attempt(() => post("/api/stop"));
  if (isStarting) return null;
  isStarting = true;
  try { return await start(); } finally { isStarting = false; }
}

async function start() {
  const isSaving = savesToo();
  if (!await idle()) return null;
  // A studio with --read-only can only check. If nothing is due, the button is enabled only because something could not be
  // read.
  if (page.session.readOnly || page.due == null || (page.due === 0 && !isUnsaved())) return check();
  if (isUnsaved()) {
    const answer = isSaving || await ask("Save first?", element("p", { textContent: "A run uses the saved recipe and settings." }),
      [["Not now", false], ["Save and run", true, true]]);
    if (!answer || !await save()) return null;
  }
  return attempt(async () => {
    // The end of a short run is reported before the answer.
    page.run = { done: 0, total: page.due ?? page.session.total };
    keep("library", "");
    paintRun();
    try { await post("/api/run"); } catch (error) {
      page.run = null;
      paintRun();
      throw error;
    }
  });
}

// Takes over whether a run is on when the connection begins: the page has not heard the events before.
export function greetRun(isRunning, isFirst) {
  const wasRunning = Boolean(page.run);
  if (!isRunning) page.run = null;
  else page.run ??= { done: 0, total: page.session.total };
  paintRun();
  if (isRunning || page.session.total === 0) return;
  if (wasRunning) page.strip.refresh();
  if (wasRunning || isFirst) checkIfQuick();
}

// Says how many photos a run has rendered, how many failed, how many it left as they were, and how many warnings it gave.
function ended({ done, rendered, failed, warned }) {
  const unchanged = done - rendered - failed;
  return [`${plural(rendered, "photo")} rendered`, failed && `${failed} failed`, unchanged && `${unchanged} unchanged`,
    warned && plural(warned, "warning")].filter(Boolean).join(", ");
}

export async function runEvent(run) {
  if (!run.ended) { page.run = run; paintRun(); return; }
  page.run = null;
  paintRun();
  announce("ended", run);
  page.strip.refresh();
  if (run.problem) keep("library", sentences({ message: run.problem, hint: run.hint }));
  else say(`${run.stopped ? "Stopped" : "Ran"}: ${ended(run)}.`);
  const kinds = [run.failed && `${plural(run.failed, "photo")} failed`, run.warned && plural(run.warned, "warning")];
  const found = [...run.failures, ...run.warnings];
  checkIfQuick();
  if (found.length) await tell(listed(kinds.filter(Boolean)), found.join("\n"));
}

when("saved", checkIfQuick);
