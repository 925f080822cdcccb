// Names and numbers as people read them.

// The title of a step or a setting: "white balance" for whiteBalance.
export const title = (name) => {
  const spaced = name.replace(/([A-Z])/g, " $1").toLowerCase();
  return spaced[0].toUpperCase() + spaced.slice(1);
};

export const plural = (count, name) => `${count} ${name}${count === 1 ? "" : "s"}`;

// Names in a sentence: "a", "a and b", "a, b and c".
export const listed = (names) => [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");

// Names the changes: the recipe, settings of photos, or both.
export const changes = (recipe, photos) =>
  listed([recipe, photos ? `settings of ${plural(photos, "photo")}` : ""].filter(Boolean));
