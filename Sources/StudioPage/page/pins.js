// Keeps the picture of a photo beside the one that is edited: another photo, or an earlier state.

import { attempt } from "/edits.js";
import { keep, say } from "/messages.js";
import { post } from "/server.js";
import { at, leaveTools, page, paint } from "/state.js";

export async function togglePin() {
  const { stage } = page;
  leaveTools();
  if (stage.pinned) {
    stage.unpin();
    keep("pinned", "");
    say("No picture is pinned any more.");
    paint();
    return;
  }
  if (!page.photo) return;
  await attempt(async () => {
    const { id, name } = page.photo;
    const { pin } = await post(`/api/pin/${id}`);
    stage.pin({ photo: id, pin, name, output: page.output });
    say(`${name} stays on the left, as it is now.`);
    at("pin").focus();
    paint();
  });
}
