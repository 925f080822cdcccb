// Starts the page.

import "/bar.js";
import "/steps.js";
import "/settings.js";
import "/outputs.js";
import { offerDraft } from "/draft.js";
import { inTurn, take } from "/edits.js";
import { clearHistogram } from "/histogram.js";
import { listen } from "/keys.js";
import { open, openNeighbour } from "/photos.js";
import { withoutFrame } from "/placement.js";
import { coveredStep } from "/masks.js";
import { complain, keep, say, sentences } from "/messages.js";
import { checkEvent, checkIfQuick, greetRun, runEvent } from "/runs.js";
import { Live, get, post } from "/server.js";
import { Stage } from "/stage.js";
import { announce, leaveTools, page, paint, steps } from "/state.js";
import { Strip } from "/strip.js";

async function start() {
  try {
    page.session = await get("/api/session");
  } catch (error) {
    keep("connection", error.status === 401
      ? "This address lacks its key. Open the address that the terminal shows." : sentences(error));
    return;
  }
  page.edit = page.session.edit;
  let isFirst = true;
  page.live = new Live((message) => {
    if (message.hello) {
      keep("connection", "");
      announce("connected");
      if (isFirst) open(0); else if (page.photo) page.stage.rest();
      greetRun(message.running, isFirst);
      isFirst = false;
    }
    if (message.changed && message.changed.revision > page.edit.revision) {
      take(message.changed);
      page.stage.rest();
    }
    if (message.run) runEvent(message.run);
    if (message.check) checkEvent(message.check);
    if (message.problem?.pane === 4) announce("no-frame", message.problem);
    else if (message.problem?.pane === 5) clearHistogram();
    else if (message.problem && message.problem.photo === page.photo?.id) fail(message.problem);
    if (message.lost) keep("connection", "The connection to the studio is lost; the page tries again.");
  }, (head, blob) => page.stage.see(head, blob));
  // The reason why there is no picture: of the photo, of the pane beside it, or of its depths.
  const fail = (problem) => {
    if (problem.pane === 1) keep("pinned", sentences(problem));
    else if (problem.pane === 2) {
      leaveTools();
      paint();
      // The next picture of the photo ends errors of pictures.
      complain(sentences(problem));
    } else if (page.stage.misses(problem.number)) {
      keep("picture", sentences(problem));
      page.stage.empty();
      page.stage.settle(true);
    }
  };
  page.stage = new Stage(page.live, () => page.photo && {
    photo: page.photo.id, own: page.scope === "photo", revision: page.edit.revision,
    output: page.output, readsDepth: page.pick?.readsDepth, colour: page.pick != null,
    mask: page.crop || (page.pick && !page.pick.showsMask) ? undefined : coveredStep(),
    set: page.crop ? withoutFrame(page.crop.step) : page.pick?.set ?? {},
  });
  page.stage.onpicture = (head) => announce("picture", head);
  page.strip = new Strip(page.session.total, open, openNeighbour);
  listen();
  page.step = steps()[0]?.key ?? null;
  paint();
  page.strip.fill();
  if (page.session.total === 0) keep("list", "There are no photos in this folder.");
  offerDraft();
  setInterval(follow, 3000);
  addEventListener("focus", follow);
}

let isFollowing = false;
// Takes over the recipe's file, and the settings of the photo, if another program has changed them.
async function follow() {
  if (isFollowing || document.hidden || page.isEnding || page.run) return;
  let found;
  isFollowing = true;
  try { found = await inTurn(() => post("/api/follow", { photo: page.photo?.id })); } catch { return; /* The connection's own message says it. */
  } finally { isFollowing = false; }
  keep("recipe", found.problem ? sentences(found.problem) : "");
  if (!found.edit) return;
  take(found.edit);
  page.stage.rest();
  checkIfQuick();
  page.strip.refresh();
  const changed = [found.recipe && "the recipe's file", found.photo && "the settings of this photo"].filter(Boolean);
  say(`Another program has changed ${changed.join(" and ")}; this is the new version.`);
}

start();
