// Copies a photo's own settings to other photos.

import { ask, element, tell } from "/dialogs.js";
import { afterMovement, attempt, change, changesMade, take } from "/edits.js";
import { complain, say } from "/messages.js";
import { post } from "/server.js";
import { own, page, paint } from "/state.js";
import { plural } from "/words.js";

export async function copy() {
  await changesMade();
  page.copied = { name: page.photo.name, settings: { ...own() } };
  say(`Copied ${plural(Object.keys(page.copied.settings).length, "own setting")} of ${page.photo.name}.`);
  paint();
}

// The photos with these numbers, as ranges of identifiers, so that many photos fit into a request.
async function ranges(numbers) {
  const found = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    if (found.at(-1)?.[1] === number - 1) found.at(-1)[1] = number;
    else found.push([number, number]);
  }
  const id = async (number) => (await page.strip.photo(number)).id;
  return Promise.all(found.map((ends) => Promise.all(ends.map(id))));
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
    const answer = await ask(`Paste to ${plural(numbers.length, "photo")}`, boxes,
      [["Cancel", null], ["Paste", () => boxes.map((box) => box.firstElementChild)
        .map((box) => { page.ticks[box.value] = box.checked; return box; })
        .filter((box) => box.checked).map((box) => box.value), true]]);
    if (!answer) return;
    keys = answer;
  }
  if (!keys.length) return;
  const edited = await attempt(async () => {
    const label = numbers.length === 1 ? "Paste" : `Paste to ${numbers.length} photos`;
    const edit = { label, photos: await ranges(numbers),
      operations: keys.map((key) => ({ set: key, value: page.copied.settings[key] })) };
    const made = await afterMovement(async () => {
      const state = await post("/api/edit", edit);
      take(state);
      return state;
    });
    page.strip.unmark();
    page.stage.rest();
    return made.edited;
  });
  sayPasted(keys.length, numbers.length, edited);
}

// Says to how many photos settings were pasted; `edited` is null if the paste was refused, for all of them.
function sayPasted(settings, photos, edited) {
  if (edited === null) {
    complain(`Nothing was pasted: ${plural(photos, "photo")} failed.`);
    return;
  }
  const skipped = photos - edited;
  const had = skipped ? `; skipped ${plural(skipped, "photo")} with the same values` : "";
  say(`Pasted ${plural(settings, "own setting")} to ${plural(edited, "photo")}${had}.`);
}

export async function resetPhoto() {
  await change("Reset", () => Object.keys(own()).map((key) => ({ unset: key })), [page.photo.id]);
}
