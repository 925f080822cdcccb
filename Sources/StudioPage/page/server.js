// The connection with the program that serves this page.

const key = (() => {
  const given = location.hash.slice(1);
  if (given) {
    sessionStorage.setItem("key", given);
    history.replaceState(null, "", "/");
  }
  return given || sessionStorage.getItem("key") || "";
})();

export class Problem extends Error {
  constructor(status, facts) {
    super(facts.message || `The studio answered with ${status}.`);
    this.status = status;
    this.hint = facts.hint || "";
    this.differences = facts.differences ?? [];
  }
}

// Ends all requests but the last one, which ends the studio: after it, nobody answers.
let others = new AbortController();

async function ask(method, path, body, { signal } = others) {
  let response;
  try {
    response = await fetch(path, {
      method, signal, headers: { Authorization: `Bearer ${key}` }, cache: "no-store",
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Problem(0, { message: "The studio cannot be reached.", hint: "If it has ended, start it again in the terminal." });
  }
  if (!response.ok) {
    let facts = {};
    try { facts = await response.json(); } catch { /* no facts */ }
    throw new Problem(response.status, facts);
  }
  return response;
}

export const get = async (path) => (await ask("GET", path)).json();
export const post = async (path, body) => (await ask("POST", path, body ?? {})).json();
export async function endStudio(discard) {
  others.abort();
  try { await ask("POST", "/api/end", { discard }, {}); } catch (error) {
    others = new AbortController();
    throw error;
  }
}
// A small picture of a photo, and what is known about the photo's renditions.
export const thumbnail = async (id) => {
  const response = await ask("GET", `/api/photos/${id}/thumb`);
  return { state: response.headers.get("Photo-State"), picture: await response.blob() };
};

// The WebSocket that carries pictures and events. `hear` gets events, `see` pictures.
export class Live {
  constructor(hear, see) {
    this.hear = hear;
    this.see = see;
    this.number = 0;
    this.connect();
  }

  connect() {
    this.isOpen = false;
    this.socket = new WebSocket(`ws://${location.host}/api/live`);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => this.socket.send(JSON.stringify({ hello: 1, token: key }));
    this.socket.onclose = () => {
      const was = this.isOpen;
      this.isOpen = false;
      if (!this.isEnding) {
        if (was) this.hear({ lost: true });
        setTimeout(() => this.connect(), 1000);
      }
    };
    this.socket.onmessage = ({ data }) => {
      if (typeof data === "string") {
        const message = JSON.parse(data);
        if (message.hello) this.isOpen = true;
        this.hear(message);
        return;
      }
      const size = new DataView(data).getUint32(0, true);
      const head = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, size)));
      const file = new Uint8Array(data, 4 + size);
      const type = file[0] === 0x89 ? "image/png" : "image/jpeg";
      this.see(head, new Blob([file], { type }));
    };
  }

  // Asks for a picture and returns the request's number.
  show(request) {
    this.number += 1;
    // A socket that is being closed takes no messages any more, before it says that it is closed.
    if (this.isOpen && this.socket.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify({ show: { number: this.number, ...request } }));
    }
    return this.number;
  }

  end() {
    this.isEnding = true;
    this.socket.close();
  }
}
