// The actions of buttons and keys.

import { toggleClipping } from "/clipping.js";
import { copy, paste, resetPhoto } from "/clipboard.js";
import { toggleCrop } from "/crop.js";
import { ask, element } from "/dialogs.js";
import { afterMovement, attempt, changesMade, take } from "/edits.js";
import { toggleCoverage } from "/masks.js";
import { isTypedInto } from "/focus.js";
import { chooseOutput } from "/outputs.js";
import { togglePin } from "/pins.js";
import { history } from "/history.js";
import { toggleLevel } from "/level.js";
import { beforeLateKeys } from "/late.js";
import { endSaid, say } from "/messages.js";
import { isHeld } from "/pending.js";
import { openNeighbour } from "/photos.js";
import { runOrStop } from "/runs.js";
import { cancel, done, save } from "/saving.js";
import { post } from "/server.js";
import { addStep } from "/steps.js";
import { applyTo, at, isUnsaved, leaveTools, page, paint } from "/state.js";

const keyList = [[", .", "previous and next photo"], ["G", "grid of photos"], ["Shift or Ctrl + click", "mark photos for pasting"],
  ["Space", "in the list: mark the photo"],
  ["\\", "hold: before the edit"], ["S", "before and after with a divider"],
  ["D", "side by side"], ["P", "keep this picture on the left, to compare others with it"],
  ["M", "show the mask of the chosen step in red"], ["J", "mark what is clipped"], ["C", "crop; a crop's aspect is kept"],
  ["Shift", "while a corner of a crop is dragged: leaves its aspect, or keeps the shape of a crop without one"],
  ["L", "straighten by a line or the slider"], ["Z", "the rendition's own pixels; arrows or dragging move them"], ["← →", "the slider with the focus; Shift: ten times"],
  ["Delete", "reset a slider"], ["Ctrl+Z, Ctrl+Shift+Z", "undo, redo"],
  ["Ctrl+C, Ctrl+V, Ctrl+Shift+V", "copy settings, paste, paste with choices"],
  ["Ctrl+S", "save"], ["Ctrl+Enter", "done"], ["?", "this list"]];

function showKeys() {
  return ask("Keys", element("table", {}, ...keyList.map(([key, text]) => element("tr", {},
    element("td", {}, element("kbd", { textContent: key })), element("td", { textContent: text })))),
  [["Close", null, true]]);
}

function toggleLoupe() {
  leaveTools();
  page.stage.loupe();
  paint();
}

// An action that has no effect while an earlier call of it is under way.
function once(action) {
  let isUnderWay = false;
  return async (...given) => {
    if (isUnderWay) return;
    isUnderWay = true;
    try { await action(...given); } finally { isUnderWay = false; }
  };
}
const end = once((action) => action());
const [addOnce, historyOnce, cropOnce, levelOnce, pinOnce] = [addStep, history, toggleCrop, toggleLevel, togglePin].map(once);

export function listen() {
  const on = (id, action) => at(id).addEventListener("click", action);
  on("cancel", () => end(cancel)); on("done", () => end(done)); on("save", save); on("run", runOrStop);
  on("previous", () => openNeighbour(-1)); on("next", () => openNeighbour(1));
  // The change can be one of another photo, which is not in sight.
  const step = (way, done) => attempt(() => beforeLateKeys(async () => {
    let label;
    await afterMovement(async () => {
      label = page.edit[way];
      take(await post(`/api/${way}`));
    });
    endSaid();
    page.stage.rest();
    if (label) say(`${done}: ${label}.`);
  }));
  const [undo, redo] = [() => step("undo", "Undone"), () => step("redo", "Done again")];
  on("undo", undo); on("redo", redo);
  on("add", addOnce); on("keys", showKeys); on("copy", copy); on("history", historyOnce);
  on("paste", () => paste(false)); on("paste-to", () => paste(true)); on("reset", resetPhoto);
  on("before", () => page.stage.compare("before")); on("split", () => page.stage.compare("split"));
  on("beside", () => page.stage.compare("beside")); on("crop", cropOnce); on("level", levelOnce); on("loupe", toggleLoupe);
  on("pin", pinOnce); on("clip", toggleClipping);
  at("output").addEventListener("change", chooseOutput);
  for (const input of document.querySelectorAll("input[name=scope]")) {
    input.addEventListener("change", () => beforeLateKeys(async () => {
      await changesMade();
      applyTo(input.value);
    }));
  }
  addEventListener("beforeunload", (event) => {
    if (!page.isEnding && isUnsaved()) event.preventDefault();
  });
  addEventListener("keydown", (event) => {
    const isTyping = event.target.matches?.("input:not([type=range]):not([type=radio]):not([type=checkbox]), select, textarea");
    if (document.querySelector("dialog[open]")) return;
    if (isHeld()) return event.preventDefault();
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const take = (action) => { event.preventDefault(); action(); };
    if (control && key === "s") return take(save);
    if (control && key === "Enter") return take(() => end(done));
    if (isTyping && key === "Escape") return take(() => event.target.blur());
    // A text that is being typed has an undo of its own.
    if (control && key === "z" && !isTypedInto(event.target)) {
      return take(event.shiftKey ? redo : undo);
    }
    if (isTyping) return;
    if (control && key === "c" && !String(getSelection())) return take(copy);
    if (control && key === "v") return take(() => paste(event.shiftKey));
    if (control || event.altKey) return;
    if (key === ",") return take(() => openNeighbour(-1));
    if (key === ".") return take(() => openNeighbour(1));
    if (key === "g") return take(() => page.strip.toggleGrid());
    if (key === "s") return take(() => page.stage.compare("split"));
    if (key === "d") return take(() => page.stage.compare("beside"));
    if (key === "c") return take(cropOnce);
    if (key === "l") return take(levelOnce);
    if (key === "z") return take(toggleLoupe);
    if (key === "m") return take(toggleCoverage);
    if (key === "j") return take(toggleClipping);
    if (key === "p") return take(pinOnce);
    const way = { ArrowLeft: [-0.25, 0], ArrowRight: [0.25, 0], ArrowUp: [0, -0.25], ArrowDown: [0, 0.25] }[key];
    // Controls use arrow keys themselves.
    const isControl = event.target.matches?.("input, [role=slider]");
    if (way && page.stage.isWhole && !isControl) return take(() => page.stage.pan(...way));
    if (key === "?") return take(showKeys);
    if (key === "Escape") return take(() => { leaveTools(); paint(); });
    if (key === "\\" && !event.repeat) return take(() => { if (page.stage.mode !== "before") page.stage.compare("before"); });
  });
  addEventListener("keyup", (event) => {
    if (event.key === "\\" && page.stage.mode === "before") page.stage.compare("before");
  });
}
