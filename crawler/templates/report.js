// Filters, keys and judgements of a report. Everything is in the page already; without this script it is a plain list.
// Judgements lie in this browser's localStorage, by divergence id, so that two tabs and later reports share them.
"use strict";
(() => {
  const KEPT = "parallax.judgements";
  const WORDS = { 1: "right", 2: "wrong", 3: "unsure" };
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const cards = all("article.card");
  const texts = new Map();
  let memory = {}; // where the browser keeps nothing for files
  let current = null;

  document.documentElement.classList.add("js");

  function kept() {
    try { return JSON.parse(localStorage.getItem(KEPT)) || {}; } catch { return memory; }
  }
  function change(id, fields) {
    const judgements = kept();
    const entry = { ...judgements[id], ...fields, when: new Date().toISOString() };
    if (entry.judgement || entry.remark) judgements[id] = entry; else delete judgements[id];
    memory = judgements;
    try { localStorage.setItem(KEPT, JSON.stringify(judgements)); } catch { /* memory has it until the tab is closed */ }
  }
  function restore() {
    const judgements = kept();
    for (const card of cards) {
      const entry = judgements[card.id] || {};
      for (const radio of all("input[type=radio]", card)) radio.checked = radio.value === entry.judgement;
      const remark = one(".remark", card);
      if (document.activeElement !== remark) remark.value = entry.remark || "";
    }
    tell();
  }
  function judged(card) {
    return one("input[type=radio]:checked", card)?.value || "";
  }
  function tell() {
    const counts = { right: 0, wrong: 0, unsure: 0 };
    for (const card of cards) if (judged(card)) counts[judged(card)] += 1;
    const done = counts.right + counts.wrong + counts.unsure;
    one("#tally").textContent = done
      ? `${done} judged: ${counts.right} right, ${counts.wrong} wrong, ${counts.unsure} unsure` : "None judged yet";
    one("#export").disabled = !Object.keys(kept()).some((id) => document.getElementById(id));
  }

  const shown = () => cards.filter((card) => !card.hidden);
  function text(card) {
    if (!texts.has(card)) {
      const parts = all("h3, .said, .facts", card).map((part) => part.textContent);
      texts.set(card, [...parts, card.id, card.dataset.site, card.dataset.url, card.dataset.path].join("\n").toLowerCase());
    }
    return texts.get(card);
  }
  function filter() {
    const kinds = new Set(all("input[name=kind]:checked").map((box) => box.value));
    const site = one("#site").value, state = one("#judged").value;
    const words = one("#find").value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const card of cards) {
      const is = judged(card);
      card.hidden = !(kinds.has(card.dataset.kind) && (!site || card.dataset.site === site)
        && (!state || (state === "none" ? !is : is === state)) && words.every((word) => text(card).includes(word)));
    }
    for (const capture of all("section.capture")) capture.hidden = !one("article.card:not([hidden])", capture);
    const left = shown().length;
    one("#count").value = `${left} of ${cards.length}`;
    one("#nothing").hidden = left > 0;
  }
  function clear() {
    one("#filters").reset();
    filter();
  }

  function mark(card) {
    current?.classList.remove("current");
    current = card;
    current.classList.add("current");
  }
  function goTo(card) {
    mark(card);
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: "start" });
  }
  function step(by) {
    const now = shown();
    if (!now.length) return;
    if (!current) return goTo(now[0]);
    const place = cards.indexOf(current);
    const next = by > 0 ? now.find((card) => cards.indexOf(card) > place) : now.findLast((card) => cards.indexOf(card) < place);
    goTo(next || (current.hidden ? now[0] : current));
  }
  function judge(word) {
    if (!current || current.hidden) return;
    for (const radio of all("input[type=radio]", current)) radio.checked = radio.value === word;
    change(current.id, { judgement: word });
    tell();
    if (word && one("#onward").checked) step(1);
  }
  function follow() {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id && document.getElementById(id);
    if (!target) return;
    if (target.matches("article.card")) {
      if (target.hidden) clear();
      goTo(target);
    } else if (target.matches(".box")) {
      target.closest("details").open = true;
      target.scrollIntoView({ block: "center" });
      target.focus({ preventScroll: true });
    }
  }
  function save() {
    const judgements = kept();
    const mine = cards.filter((card) => judgements[card.id]).map((card) => ({
      id: card.id, kind: card.dataset.kind, site: card.dataset.site, url: card.dataset.url, path: card.dataset.path,
      judgement: judgements[card.id].judgement || null, remark: judgements[card.id].remark || "", when: judgements[card.id].when,
    }));
    const written = { report: document.body.dataset.made, exported: new Date().toISOString(), divergences: cards.length, judgements: mine };
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(written, null, 2) + "\n"], { type: "application/json" }));
    link.download = `parallax-judgements-${written.exported.slice(0, 10)}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  const KEYS = {
    j: () => step(1),
    k: () => step(-1),
    0: () => judge(""),
    1: () => judge(WORDS[1]),
    2: () => judge(WORDS[2]),
    3: () => judge(WORDS[3]),
    n: () => current && one(".remark", current).focus(),
    o: () => {
      const whole = current && one(".whole", current.closest(".capture"));
      if (!whole) return;
      whole.open = !whole.open;
      (whole.open ? whole : current).scrollIntoView({ block: "start" });
    },
    "/": () => one("#find").focus(),
    "?": () => { one("#help").open = !one("#help").open; },
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const typing = event.target.matches("select, textarea, input:not([type=radio], [type=checkbox])");
    if (event.key === "Escape" || (typing && event.key === "Enter")) {
      one("#help").open = false;
      if (typing) {
        event.preventDefault();
        if (event.key === "Escape" && event.target.id === "find") { event.target.value = ""; filter(); }
        event.target.blur();
      }
    } else if (!typing && Object.hasOwn(KEYS, event.key)) {
      event.preventDefault();
      KEYS[event.key]();
    }
  });
  document.addEventListener("focusin", (event) => {
    const card = event.target.closest?.("article.card");
    if (card) mark(card);
  });
  document.addEventListener("change", (event) => {
    const card = event.target.closest("article.card");
    if (!card) return;
    if (event.target.type === "radio") change(card.id, { judgement: event.target.value });
    else if (event.target.matches(".remark")) change(card.id, { remark: event.target.value.trim() });
    tell();
  });
  document.addEventListener("click", (event) => {
    const card = event.target.closest("article.card");
    if (card) mark(card);
    // The address stays the same at a second click on the same link, and nothing would happen.
    if (event.target.closest("a[href^='#']")) setTimeout(follow);
  });
  one("#filters").addEventListener("input", filter);
  one("#filters").addEventListener("submit", (event) => event.preventDefault());
  one("#clear").addEventListener("click", clear);
  one("#export").addEventListener("click", save);
  addEventListener("hashchange", follow);
  addEventListener("storage", (event) => { if (event.key === KEPT || event.key === null) restore(); });

  restore();
  filter();
  follow();
})();
