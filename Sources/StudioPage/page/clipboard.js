// Copies a photo's own settings to other photos.

import { ask, element, tell } from "/dialogs.js";
import { attempt, change, send, take } from "/edits.js";
import { settle } from "/pending.js";
import { own, page, paint, say } from "/state.js";

export async function copy() {
  await settle();
  page.copied = { name: page.photo.name, settings: { ...own() } };
  say(`Copied ${Object.keys(page.copied.settings).length} own settings of ${page.photo.name}.`);
  paint();
}

export async function paste(withChoice) {
  if (!page.copied) return;
  let keys = Object.keys(page.copied.settings);
  const numbers = page.strip.marked.size ? [...page.strip.marked] : [page.number];
  if (!keys.length) {
    await tell("Nothing to paste", `${page.copied.name} has no settings of its own.`);
    return;
  }
  if (withChoice) {
    page.ticks ??= {};
    const boxes = keys.map((key) => element("label", {}, element("input", { type: "checkbox", value: key,
      checked: page.ticks[key] ?? true }), ` ${key} = ${JSON.stringify(page.copied.settings[key])}`));
    const answer = await ask(`Paste to ${numbers.length} ${numbers.length === 1 ? "photo" : "photos"}`, boxes,
      [["Cancel", null], ["Paste", () => boxes.map((box) => box.firstElementChild)
        .map((box) => { page.ticks[box.value] = box.checked; return box; })
        .filter((box) => box.checked).map((box) => box.value), true]]);
    if (!answer) return;
    keys = answer;
  }
  if (!keys.length) return;
  await attempt(async () => {
    const listed = await Promise.all(numbers.map((number) => page.strip.photo(number)));
    take(await send("/api/edit", { label: `Paste to ${numbers.length}`, photos: listed.map((photo) => photo.id),
      operations: keys.map((key) => ({ set: key, value: page.copied.settings[key] })) }));
    page.strip.unmark();
    page.stage.rest();
  });
}

export async function resetPhoto() {
  const keys = Object.keys(own());
  await change("Reset photo", keys.map((key) => ({ unset: key })), [page.photo.id]);
}
