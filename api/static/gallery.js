// Keys of the galleries. Without this script there is the mouse, Tab and Enter.
"use strict";
(() => {
  const links = [...document.querySelectorAll(".card h2 a")];
  const find = document.querySelector("#find");
  const help = document.querySelector(".keys");

  function step(by) {
    const now = links.indexOf(document.activeElement);
    const next = links[now < 0 ? (by > 0 ? 0 : links.length - 1) : now + by];
    if (!next) return;
    next.focus({ preventScroll: true });
    next.closest(".card").scrollIntoView({ block: "nearest" });
  }
  globalThis.pageKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
    n: () => document.querySelector("a[rel=next]")?.click(),
    "/": () => { find.focus(); find.select(); },
    "?": () => { help.open = !help.open; },
  }, { once: ["n", "/", "?"], leave: (at) => { if (at.matches("select, textarea, input")) at.blur(); } });
})();
