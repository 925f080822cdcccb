// The sentences below the photo.

import { at } from "/state.js";
import { sentence } from "/words.js";

// Errors, and a save that waits, by what they are about, in the order in which they are shown. Each stays in sight until it
// no longer applies.
const kept = new Map(["connection", "draft", "list", "photo", "picture", "pinned", "check", "unread", "saving", "library",
  "recipe", "tool"].map((about) => [about, ""]));
let [warnings, said] = ["", ""];

function show() {
  const lines = new Set([...kept.values(), warnings, said].filter(Boolean));
  const text = [...lines].join("\n");
  // The same text again would be read aloud again.
  if (at("message").textContent !== text) at("message").textContent = text;
}

// How long a sentence covers the photo, in milliseconds.
const readable = 6000;
let ending;

// Shows a sentence for a while, or until a setting moves or another photo is opened, and reads it to people who listen.
export function say(text) {
  clearTimeout(ending);
  ending = setTimeout(() => { said = ""; show(); }, readable);
  said = text;
  at("live").textContent = text;
  show();
}

// Shows a failure until a setting moves or another photo is opened, and reads it to people who listen.
export function complain(text) {
  say(text);
  clearTimeout(ending);
}

// Shows a sentence until it is replaced; an empty text ends it.
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

// Ends what was said, because a setting moves.
export function endSaid() {
  said = "";
  show();
}

// Shows the warnings of a painted picture, which ends its errors.
export function showWarnings(head) {
  kept.set("picture", "");
  if (!head.moving) warnings = head.warnings.join(" ");
  show();
}

// An error with what to do about it, as one text.
export const sentences = ({ message, hint }) => (message.endsWith(".") && hint
  ? `${message} ${sentence(inPage(hint))}` : [message, inPage(hint)].filter(Boolean).join("; "));

// What to do, in the words of the page; other hints stay as they are.
export function inPage(hint) {
  if (/^set "missing": "nothing"/.test(hint)) return "choose 'stay unchanged' under 'Photos without it' beside the mask of the step";
  if (hint?.includes("--previous replace")) return "change the path of the output in the recipe's file, or revert the other recipe's edit";
  return hint;
}
