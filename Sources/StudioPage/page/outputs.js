// Chooses the output whose rendition the picture shows.

import { element } from "/dialogs.js";
import { say } from "/messages.js";
import { at, page, when } from "/state.js";

let known = "";

when("paint", () => {
  const usual = page.edit.usualOutput ?? "the largest";
  const names = page.edit.outputs.map((output) => output.name).filter(Boolean);
  const select = at("output");
  select.hidden = names.length < 2;
  const now = [usual, ...names].join("\n");
  if (known === now) return;
  known = now;
  if (page.output && !names.includes(page.output)) page.output = undefined;
  select.replaceChildren(element("option", { value: "", textContent: `Usual output (${usual})` }),
    ...names.map((name) => element("option", { value: name, textContent: `Output ${name}`,
      selected: name === page.output })));
});

export function chooseOutput(event) {
  page.output = event.target.value || undefined;
  page.stage.size = null;
  page.stage.rest();
  say(page.output ? `The picture shows the output ${page.output}.` : "The picture shows the usual output.");
}
