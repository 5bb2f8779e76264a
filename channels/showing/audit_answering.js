// What is the same wherever an item is answered, at the desk or on a sheet: which key, how long it took, whether a text can be one.
"use strict";
globalThis.auditAnswering = ((given) => { // given: domain.audit_guide.given()
  const UNSEEN = new RegExp(`${given.invisible}|[\\s\\p{Cc}]`, "gu");
  const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/; // as in domain/controls.py

  function named(event, has) { // has: whether a key does something. Alt makes other characters on some keyboards: then its place counts
    const key = event.key.toLowerCase();
    if (!event.altKey || has(key)) return key;
    const code = event.code;
    return { Slash: "?", Minus: "-", Equal: "+" }[code] || (/^(Key|Digit)/.test(code) ? code.at(-1).toLowerCase() : key);
  }

  function unfit(text) { // why nobody can have read this text from a picture; "": they can
    const control = CONTROL.exec(text);
    if (control) {
      const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
      return `The text holds the control character U+${code}, which no picture shows: write what is to be seen.`;
    }
    return text.normalize("NFKC").replace(UNSEEN, "") ? "" : "Nothing is written. Where no text stands there, the answer is Absent (Alt A).";
  }

  let from = 0, away = 0, hidden = null; // ms; hidden: since when nobody looks
  document.addEventListener("visibilitychange", () => { // time in which nobody looks is not counted
    const now = performance.now();
    if (document.hidden) hidden ??= now;
    else if (hidden !== null) [away, hidden] = [away + now - hidden, null];
  });
  const clock = {
    start() {
      [from, away] = [performance.now(), 0];
      hidden = document.hidden ? from : null;
    },
    seconds() { // since start; a page that was left open measures nothing, and no answer is lost of it
      const now = performance.now();
      return bounded((now - from - away - (hidden === null ? 0 : now - hidden)) / 1000);
    },
  };
  const bounded = (seconds) => Math.round(100 * Math.min(given.most_s, Math.max(0, seconds))) / 100;

  return { named, unfit, clock, bounded };
})(JSON.parse((document.getElementById("given")).textContent));
