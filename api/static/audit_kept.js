// What the tab keeps, apart for each name that signs in: an answer on its way, a text that is begun, the audit; and what was answered.
"use strict";
globalThis.auditKept = (() => {
  const { auditAsking: asking } = globalThis, answered = new Map(); // name -> item -> what was answered in this tab
  const key = (what) => `audit-${what}:${asking.name() || ""}`;

  function get(what) { // what: "pending", "draft", "chosen"
    try { return JSON.parse(sessionStorage.getItem(key(what))); } catch { return null; }
  }

  function set(what, value) { // null: forgotten
    if (value === null) sessionStorage.removeItem(key(what));
    else sessionStorage.setItem(key(what), JSON.stringify(value));
  }

  function said() {
    const name = asking.name();
    if (!answered.has(name)) answered.set(name, new Map());
    return answered.get(name);
  }

  return { get, set, said };
})();
