// The dashboard goes on by itself: /crawl is asked every few seconds, and where it has changed, the parts of the page that have.
"use strict";
(() => {
  const LONGEST_MS = 30000, SAY_MS = 20000;
  const live = document.getElementById("live"), when = document.getElementById("when");
  const said = document.getElementById("said"), pause = document.getElementById("pause");
  if (!live) return;
  const EVERY_MS = Number(live.dataset.every);
  let tag = null, timer = 0, failures = 0, paused = false, asking = null, spoken = 0, unsaid = 0;
  let newest = new Set([...document.querySelectorAll("#newest [data-visit]")].map((row) => row.dataset.visit));
  const seen = new Map(); // part -> its HTML as the server sent it

  const clock = () => new Date().toISOString().slice(11, 19);
  const show = (state, text) => { live.className = `live meta ${state}`; when.textContent = text; };
  // Whoever listens is not told of every number: what is new, and not more often than they can bear.
  const say = (text) => { said.textContent = text; spoken = Date.now(); };

  function swap(text) {
    const fresh = new DOMParser().parseFromString(text, "text/html");
    for (const part of document.querySelectorAll("[data-live]")) {
      const now = fresh.getElementById(part.id);
      if (!now || now.innerHTML === seen.get(part)) continue;
      seen.set(part, now.innerHTML);
      const open = new Set([...part.querySelectorAll("details[open]")].map((one) => one.id));
      const scrolled = [...part.querySelectorAll(".scroll")].map((one) => [one.scrollLeft, one.scrollTop]);
      const focused = part.contains(document.activeElement) ? document.activeElement : null;
      const within = focused && [...part.querySelectorAll("a, summary, [tabindex]")].indexOf(focused);
      part.replaceChildren(...[...now.childNodes].map((node) => document.importNode(node, true)));
      for (const one of part.querySelectorAll("details")) one.open = open.has(one.id);
      part.querySelectorAll(".scroll").forEach((one, i) => { if (scrolled[i]) [one.scrollLeft, one.scrollTop] = scrolled[i]; });
      if (!focused) continue;
      const href = focused.getAttribute("href");
      const same = href && [...part.querySelectorAll("a")].find((link) => link.getAttribute("href") === href);
      (same || [...part.querySelectorAll("a, summary, [tabindex]")][within])?.focus({ preventScroll: true });
    }
  }

  function count(crawl) {
    const ids = crawl.newest.map((visit) => visit.id);
    unsaid += ids.filter((id) => !newest.has(id)).length;
    newest = new Set(ids);
    if (unsaid && Date.now() - spoken > SAY_MS) {
      say(`${unsaid} new visit${unsaid === 1 ? "" : "s"}. ${crawl.queue.doing} under way, ${crawl.queue.waiting} waiting.`);
      unsaid = 0;
    }
  }

  async function look() {
    asking = new AbortController();
    const late = setTimeout(() => asking.abort(), 10000);
    try {
      const given = { signal: asking.signal, cache: "no-store", credentials: "same-origin" };
      const answer = await fetch(live.dataset.twin, { ...given, headers: tag ? { "If-None-Match": tag } : {} });
      if (answer.status !== 304) {
        if (!answer.ok) throw new Error(`it answered ${answer.status}`);
        const crawl = await answer.json();
        const page = await fetch(location.href, given);
        if (!page.ok) throw new Error(`it answered ${page.status}`);
        swap(await page.text());
        tag = answer.headers.get("ETag");
        count(crawl);
      }
      if (failures) say("The connection is back.");
      failures = 0;
      show("on", `Updated ${clock()} UTC, every ${EVERY_MS / 1000} s.`);
    } catch (error) {
      if (paused || document.hidden) return;
      failures += 1;
      const wait = Math.min(LONGEST_MS, EVERY_MS * 2 ** (failures - 1));
      const why = error.message.startsWith("it answered") ? `: ${error.message}` : "";
      show("lost", `Connection lost${why}. What you see may be old. Next try in ${wait / 1000} s.`);
      if (failures === 1) say("The connection is lost. What the page shows may be old.");
    } finally {
      clearTimeout(late);
      plan();
    }
  }

  function plan() {
    clearTimeout(timer);
    if (paused || document.hidden) return;
    timer = setTimeout(look, failures ? Math.min(LONGEST_MS, EVERY_MS * 2 ** (failures - 1)) : EVERY_MS);
  }

  function still() {
    clearTimeout(timer);
    asking?.abort();
    if (paused) show("still", `Paused at ${clock()} UTC.`);
  }

  pause.addEventListener("click", () => {
    paused = !paused;
    pause.textContent = paused ? "Go on" : "Pause updates";
    if (paused) still(); else look();
  });
  document.addEventListener("visibilitychange", () => { if (document.hidden) still(); else if (!paused) look(); });
  for (const part of document.querySelectorAll("[data-live]")) seen.set(part, part.innerHTML);
  show("on", when.textContent);
  plan();
})();
