// Dialogs, and the elements they are made of.

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && key !== "list") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

// Shows a dialog; resolves to the value of the pressed button, or null for Escape. A button is [text, value, isMain,
// isDisabled].
export function ask(title, content, buttons) {
  return new Promise((resolve) => {
    const before = document.activeElement;
    const dialog = element("dialog", { "aria-label": title });
    const end = (value) => {
      dialog.close();
      dialog.remove();
      before?.focus?.();
      resolve(value);
    };
    const row = element("div", { className: "buttons" });
    for (const [text, value, isMain, isDisabled] of buttons) {
      row.append(element("button", { textContent: text, className: isMain ? "main" : "", disabled: Boolean(isDisabled),
        onclick: () => end(typeof value === "function" ? value() : value) }));
    }
    dialog.append(element("h2", { textContent: title }), ...[content].flat(), row);
    dialog.addEventListener("cancel", (event) => { event.preventDefault(); end(null); });
    dialog.addEventListener("keydown", (event) => event.stopPropagation());
    document.getElementById("place").append(dialog);
    dialog.showModal();
    dialog.finish = end;
    // A long dialog begins at its start, though its buttons are below.
    (dialog.querySelector("[autofocus]") || row.lastElementChild).focus({ preventScroll: true });
  });
}

// Answers a question that no longer needs the user, if its dialog is open.
export function answer(title, value) {
  [...document.querySelectorAll("dialog[open]")].find((dialog) => dialog.getAttribute("aria-label") === title)?.finish(value);
}

export const tell = (title, text, hint, facts) =>
  ask(title, [element("p", { textContent: text }), hint ? element("p", { textContent: hint }) : null, facts]
    .filter(Boolean), [["Close", true, true]]);

// A table of the values that differ between the recipe's file and the page; null if there are none.
export function versions(differences) {
  if (!differences.length) return null;
  const head = ["Setting", "In the file", "Here"].map((text) => element("th", { scope: "col", textContent: text }));
  const rows = differences.map(({ name, onDisk, mine }) => element("tr", {},
    element("th", { scope: "row", textContent: name }),
    ...[onDisk, mine].map((text) => element("td", { textContent: text ?? "–" }))));
  return element("table", { className: "versions" }, element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...rows));
}

const plain = (text) => text.toLowerCase().replaceAll(" ", "");

// How well a name fits a search, from 0 to 3: it is the name, its beginning, a part of it, or none.
function fit(name, sought) {
  if (plain(name) === sought) return 3;
  return plain(name).startsWith(sought) ? 2 : Number(plain(name).includes(sought));
}

// A list that is searched by typing; resolves to the chosen entry. The texts of an entry are its name, a sentence about
// it, and the name that recipes use.
export function choose(title, entries, text) {
  let shown = entries;
  const list = element("ul", { className: "list" });
  const search = element("input", { type: "search", placeholder: "Search", autofocus: true,
    "aria-label": "Search" });
  search.setAttribute("autofocus", "");
  const fill = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (part, word) => part.toLowerCase().includes(word);
    const rank = (entry) => {
      const [name, , other = name] = text(entry);
      const isNamed = words.every((word) => has(name, word)) ? 1 : 0;
      return Math.max(isNamed, fit(name, words.join("")), fit(other, words.join("")));
    };
    // The entry of this name comes first, then those whose names begin with it or have its words.
    shown = entries.filter((entry) => words.every((word) => text(entry).some((part) => has(part, word))))
      .sort((a, b) => (words.length ? rank(b) - rank(a) : 0));
    list.replaceChildren(...shown.map((entry) => element("li", {}, element("button",
      { onclick: (event) => event.target.closest("dialog").finish(entry) },
      text(entry)[0], element("small", { textContent: text(entry)[1] })))));
    if (!shown.length) list.append(element("li", { textContent: "Nothing has these words." }));
  };
  search.addEventListener("input", fill);
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !shown[0]) return;
    // Otherwise, the same key would press the button that gets the focus back.
    event.preventDefault();
    event.target.closest("dialog").finish(shown[0]);
  });
  fill();
  return ask(title, [search, list], [["Cancel", null]]);
}
