// Names and numbers as people read them.

const abbreviations = ["dpi", "hsl", "lut", "rgb"];

// The name of a step or a setting inside a sentence: "white balance" for whiteBalance.
export const inText = (name) => name.replace(/([A-Z])/g, " $1").toLowerCase().split(" ")
  .map((word) => (abbreviations.includes(word) ? word.toUpperCase() : word)).join(" ");

const capital = (text) => text[0].toUpperCase() + text.slice(1);
export const title = (name) => capital(inText(name));

// A text with a capital and a full stop, except that a name at its start, such as that of a file, stays.
export const sentence = (text) =>
  (/^[a-z]+ /.test(text) ? capital(text) : text) + (/[^.!?]$/.test(text) && !text.includes("\n") ? "." : "");

// True for a comma that can also group thousands, as in "1,250".
const isAmbiguous = (text) => /^[+\u2212-]?[1-9]\d{0,2},\d{3}$/.test(text);

// The number that a text means, with a point or a comma; NaN if it means none, or can mean two.
export const numberIn = (text) => {
  const written = text.trim().replace("\u2212", "-").replace(",", ".");
  const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(written) && !isAmbiguous(text.trim());
  return isNumber ? Number(written) : NaN;
};

// The reason why a text means no number.
export const whyNoNumber = (text) => (isAmbiguous(text)
  ? `${text} can mean ${text.replace(",", ".")} or ${text.replace(",", "")}; the value stays. Type one of these.`
  : "What you typed is not a number; the value stays.");

export const plural = (count, name) => `${count} ${name}${count === 1 ? "" : "s"}`;

// Names in a sentence: "a", "a and b", "a, b and c".
export const listed = (names) => [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");

// Names the changes: the recipe, settings of photos, or both.
export const changes = (recipe, photos) =>
  listed([recipe, photos ? `settings of ${plural(photos, "photo")}` : ""].filter(Boolean));
