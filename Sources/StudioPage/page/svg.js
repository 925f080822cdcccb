// Elements of SVG, which curves and handles are made of.

export const svg = (name, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
