// The bar: the photo's name, and which of its buttons can be used.

import { keep } from "/messages.js";
import { at, isUnsaved, own, page, when } from "/state.js";
import { plural } from "/words.js";

// The photo stays in sight below the bar, which has one line or more.
new ResizeObserver(([{ target }]) => document.documentElement.style.setProperty("--bar", `${target.offsetHeight}px`))
  .observe(document.querySelector(".bar"));

when("paint", () => {
  const { edit, photo } = page;
  const unsaved = isUnsaved();
  at("undo").disabled = !edit.undo;
  at("redo").disabled = !edit.redo;
  at("undo").title = edit.undo ? `Undo: ${edit.undo} (Ctrl+Z)` : "Nothing to undo";
  at("redo").title = edit.redo ? `Redo: ${edit.redo} (Ctrl+Shift+Z)` : "Nothing to redo";
  at("save").disabled = !unsaved || page.session.readOnly;
  at("done").disabled = page.session.readOnly && unsaved;
  at("previous").disabled = page.number <= 0;
  at("next").disabled = page.number >= page.session.total - 1;
  at("name").textContent = photo ? photo.name : page.session.library;
  at("continues").textContent = photo
    ? `· ${photo.base ? `continues from ${photo.base}` : "from the original"} · ${page.session.name}` : "";
  at("unsaved").textContent = photo && unsaved ? "· not saved" : "";
  at("title").title = photo?.path ?? "";
  document.title = `${unsaved ? "• " : ""}${photo?.name ?? "phbatch studio"} – phbatch studio`;
  at("reset").disabled = !photo || Object.keys(own()).length === 0;
  keep("draft", edit.problem ?? "");
  at("copy").disabled = !photo;
  at("paste").disabled = at("paste-to").disabled = !page.copied;
  const marked = page.strip?.marked.size ?? 0;
  const target = marked ? plural(marked, "marked photo") : "this photo";
  at("paste").title = `Paste to ${target} (Ctrl+V)`;
  at("paste-to").title = `Paste to ${target}, with choices (Ctrl+Shift+V)`;
});
