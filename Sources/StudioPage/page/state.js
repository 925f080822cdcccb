// The state of the page: the session, the edit, the photo that is open and the step that is chosen.

export const at = (id) => document.getElementById(id);
export const page = { session: null, edit: null, photo: null, number: 0, scope: "recipe", step: null,
  live: null, stage: null, strip: null };

// The events by which parts of the page notify each other: `paint` after every change, `leave` when a tool
// ends, `level` when the user draws a line, `picture` with the head of a painted picture, `saved` after a save.
const listeners = new Map();
export const when = (name, action) =>
  listeners.set(name, [...(listeners.get(name) ?? []), action]);
export const announce = (name, fact) => { for (const action of listeners.get(name) ?? []) action(fact); };
export const paint = () => announce("paint");
export const leaveTools = () => announce("leave");

// Shows a sentence below the photo, and reads it to people who listen.
export function say(text) { at("live").textContent = at("message").textContent = text; }

export const filterOf = (step) => page.session.filters.find((filter) => filter.name === step?.filter);
export const steps = () => [
  ...page.edit.filters.map((raw) => ({ raw, id: raw.id ?? raw.filter, place: null })),
  ...page.edit.outputs.flatMap((output) => output.filters.map((raw) =>
    ({ raw, id: raw.id ?? raw.filter, place: output.name }))),
];
export const chosen = () => steps().find((step) => step.id === page.step);
export const own = () => page.edit.own[page.photo?.id] ?? page.photo?.own ?? {};
const isParameter = (value) => typeof value === "string" && value.includes("${");

// The value of a setting of a step, and where it comes from.
export function valueOf(step, name, fallback) {
  const key = `${step.id}.${name}`;
  const mine = own();
  if (key in mine) {
    return { value: mine[key] ?? fallback, origin: "this photo", isOwn: true, isSet: page.scope === "photo" };
  }
  const written = step.raw[name];
  if (written === undefined) return { value: fallback, origin: "", isSet: false };
  if (isParameter(written)) {
    const resolved = page.edit.resolved.find((other) => (other.id ?? other.filter) === step.id);
    return { value: resolved?.[name] ?? fallback, origin: `parameter ${written}`, isSet: page.scope === "recipe" };
  }
  const isOwnStep = page.edit.ownSteps.includes(step.id);
  return { value: written, origin: isOwnStep ? "recipe" : "base recipe",
    isSet: page.scope === "recipe" && isOwnStep };
}

export const isOn = (step) => valueOf(step, "enabled", true).value !== false;
