// What the desk asks of the server, with name and token in a header and never in a cookie or an address.
"use strict";
globalThis.auditAsking = (() => {
  const KEY = "audit-signed-in", AFTER_MS = [500, 1000, 2000, 4000, 8000, 15000], LATE_MS = 20000;
  let who = null, lost = 0, waking = null, onLost = () => {}, onBack = () => {};
  try { who = JSON.parse(sessionStorage.getItem(KEY)); } catch { sessionStorage.removeItem(KEY); }

  class Told extends Error { // the server's own answer: a problem
    constructor(status, problem) {
      super(problem.detail || `It answered ${status}.`);
      this.status = status;
      this.code = problem.code || "";
    }
  }
  class Gone extends Error {} // who asked has signed out: nothing of theirs is asked in another's name, or told to another
  class Lost extends Error { // no answer, or one that says: later
    constructor(message, wait) { super(message); this.wait = wait; }
  }

  async function once(method, path, body) {
    if (!who) throw new Told(401, { detail: "You are signed out." });
    const mine = who;
    const headers = { Authorization: `Bearer ${who.name}:${who.token}` };
    if (body) headers["Content-Type"] = "application/json";
    const given = { method, headers, body: body && JSON.stringify(body), cache: "no-store", credentials: "omit", redirect: "error" };
    let answer, told = null;
    try {
      answer = await fetch(path, { ...given, signal: AbortSignal.timeout(LATE_MS) });
      const image = (answer.headers.get("Content-Type") || "").startsWith("image/");
      if (answer.ok && answer.status !== 204) told = await (image ? answer.blob() : answer.json());
    } catch { answer = null; }
    const problem = answer?.ok === false ? await answer.json().catch(() => ({})) : {};
    if (who !== mine) throw new Gone();
    if (!answer) throw new Lost("The connection is lost.");
    if (answer.ok) return told;
    if (answer.status === 429 || answer.status === 408 || answer.status >= 500) {
      throw new Lost(answer.status === 429 ? "The server asks us to slow down." : "The server cannot answer now.", 1000 * Number(answer.headers.get("Retry-After")));
    }
    throw new Told(answer.status, problem);
  }

  const pause = (ms) => new Promise((resolve) => {
    waking = resolve;
    setTimeout(resolve, ms);
  });
  addEventListener("online", () => waking?.());

  async function until(method, path, body) { // asked again until there is an answer: only what does the same however often it is asked
    const mine = who;
    for (;;) {
      if (who !== mine) throw new Gone();
      try {
        const answer = await once(method, path, body);
        if (lost) { lost = 0; onBack(); }
        return answer;
      } catch (error) {
        if (!(error instanceof Lost)) {
          if (lost && !(error instanceof Gone)) { lost = 0; onBack(); }
          throw error;
        }
        onLost(error.message);
        await pause(Math.max(error.wait || 0, AFTER_MS[Math.min(lost++, AFTER_MS.length - 1)]));
      }
    }
  }

  return {
    Told, Gone, Lost, once, until,
    name: () => who?.name,
    signIn: (name, token) => { who = { name, token }; },
    keep: () => sessionStorage.setItem(KEY, JSON.stringify(who)),
    signOut: () => { [who, lost] = [null, 0]; sessionStorage.removeItem(KEY); waking?.(); },
    when: (isLost, isBack) => { onLost = isLost; onBack = isBack; },
  };
})();
