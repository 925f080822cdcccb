// The sentences below the photo.

import { at } from "/state.js";

// Errors by what they are about, in the order in which they are shown. Each stays in sight until it no longer applies.
const kept = new Map(["connection", "draft", "list", "photo", "picture", "pinned", "check", "library", "tool"].map((about) => [about, ""]));
let [warnings, said] = ["", ""];

function show() {
  const lines = new Set([...kept.values(), warnings, said].filter(Boolean));
  const text = [...lines].join("\n");
  // The same text again would be read aloud again.
  if (at("message").textContent !== text) at("message").textContent = text;
}

// Shows a sentence until a setting moves or another photo is opened, and reads it to people who listen.
export function say(text) {
  said = text;
  at("live").textContent = text;
  show();
}

// Shows an error until it is replaced; an empty text ends it.
export function keep(about, text) {
  kept.set(about, text);
  show();
}

// Ends what was said about the photo that was open.
export function hush() {
  [warnings, said] = ["", ""];
  kept.set("photo", "");
  keep("picture", "");
}

// Shows the warnings of a painted picture, which ends its errors.
export function showWarnings(head) {
  kept.set("picture", "");
  if (head.moving) said = "";
  else warnings = head.warnings.join(" ");
  show();
}

// An error with what to do about it, as one text.
export const sentences = ({ message, hint }) => [message, hint].filter(Boolean).join("; ");
