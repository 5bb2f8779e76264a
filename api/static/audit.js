// The desk: one item after the other. An answer is kept here until the server has it; sent twice it is the same answer.
"use strict";
(() => {
  const { auditAsking: asking, auditPicture: picture, auditDrawn: drawn, auditKept: kept, auditAnswering: answering } = globalThis;
  const PENDING = "pending", DRAFT = "draft", CHOSEN = "chosen";
  const $ = (id) => document.getElementById(id);
  const sections = ["sign", "choose", "desk", "end"].map($), text = $("text");
  const unshown = new Set(); // items that were skipped because their picture cannot be shown
  let audit = null, item = null, missing = false, busy = true, typed = false, counts = null, undoing = false;

  const { say, wrong, hint } = drawn;
  const path = (...parts) => ["/audits", ...parts].map((part, n) => (n ? encodeURIComponent(part) : part)).join("/");

  function only(id) {
    if (id === "sign" || id === "choose") audit = null;
    for (const section of sections) section.hidden = section.id !== id;
    $("own").hidden = id === "sign";
    $("who").textContent = asking.name() || "";
    if (id !== "desk") item = null;
    document.body.classList.toggle("working", id === "desk");
  }

  // Signing in.
  function signedOut(words) {
    asking.signOut();
    picture.clear();
    only("sign");
    hint("");
    $("token").value = "";
    $("sign-wrong").textContent = words || "";
    $("sign-wrong").hidden = !words;
    $(words && $("name").value ? "token" : "name").focus();
  }

  async function signIn(event) {
    event.preventDefault();
    asking.signIn($("name").value.trim(), $("token").value.trim());
    try {
      await choose();
      asking.keep();
      $("token").value = "";
    } catch (error) { failed(error); }
  }

  function failed(error, words = "") { // what is no answer to an answer: the token is gone, or the audit. words: of the answer
    if (error instanceof asking.Gone) return;
    if (!(error instanceof asking.Told)) throw error;
    if (error.status === 401) signedOut(error.message);
    else if (sections[0].hidden) { only("choose"); choose(`${words} ${error.message}`.trim()).catch(failed); }
    else signedOut(error.message);
  }

  // Which audit.
  async function choose(words) {
    const { items } = await asking.until("GET", path());
    const before = kept.get(CHOSEN), known = items.find((one) => one.audit === before);
    const waiting = kept.get(PENDING);
    if (waiting && items.some((one) => one.audit === waiting.audit)) return begin(waiting.audit);
    if (words === undefined && known) return begin(known.audit);
    if (words === undefined && items.length === 1) return begin(items[0].audit);
    only("choose");
    hint(words || "");
    drawn.audits(items, (name) => begin(name).catch(failed));
    $("choose-h").focus();
  }

  async function begin(name) {
    audit = name;
    kept.set(CHOSEN, name);
    $("which").textContent = name;
    const waiting = kept.get(PENDING);
    if (waiting && waiting.audit === name) await send(waiting);
    await count();
    await next();
  }

  // One item.
  async function count() {
    counts = await asking.until("GET", path(audit, "progress"));
    drawn.far(counts);
  }

  async function next(words = "", passed = new Set()) { // passed: items that cannot be shown and have come up again
    busy = true;
    $("work").setAttribute("aria-busy", "true");
    const of = audit, found = await asking.until("POST", path(of, "next"));
    if (of !== audit) return; // gone elsewhere meanwhile
    await (found && !passed.has(found.item) ? show(found, null, words, passed) : end(words, passed.size));
  }

  async function show(found, label, words, passed = new Set()) {
    busy = true;
    const of = audit, seen = await pictureOf(found);
    if (of !== audit) return;
    if (!(seen instanceof Blob) && unshown.has(found.item)) {
      await asking.until("POST", path(of, "items", found.item, "skip"));
      return next(words, passed.add(found.item));
    }
    only("desk");
    ask(found, label);
    const there = seen instanceof Blob && await picture.show(found, URL.createObjectURL(seen));
    if (of !== audit) return picture.clear();
    picture.marked(true);
    item = found;
    missing = drawn.lacking(there ? "" : seen instanceof Blob ? "The picture of this item cannot be shown. Skip it: the rest goes on." : seen);
    $("work").removeAttribute("aria-busy");
    $("work").dataset.item = item.item;
    [busy, typed] = [false, false];
    answering.clock.start();
    if (missing) {
      picture.clear();
      say(`${words} ${$("gone").textContent}`.trim());
      return $("skip").focus({ preventScroll: true });
    }
    const draft = kept.get(DRAFT);
    if (!label && draft?.item === found.item && !found.choices.length) [text.value, typed] = [draft.text, true];
    focus();
    say(`${words} ${$("far").textContent} answered. ${found.choices.length ? found.question : ""}`.trim());
  }

  async function pictureOf(found) { // a Blob; or, where there is none, what the server says of it
    try {
      return await asking.until("GET", path(audit, "items", found.item, "picture"));
    } catch (error) {
      if (error.code === "picture-missing") return error.message;
      throw error;
    }
  }

  function ask(found, label) { // what is asked, and what was answered before it was taken back
    wrong("");
    drawn.question(found, label);
    text.value = label?.value && !found.choices.length ? label.value : "";
    keys.tell();
  }

  function focus() {
    if (item.choices.length) $("group").focus({ preventScroll: true });
    else {
      text.focus({ preventScroll: true });
      text.select();
    }
  }

  // Answering.
  async function answer(given, value = null) {
    if (busy || !item || missing) return;
    const unfit = given === "value" ? answering.unfit(value) : "";
    if (unfit) {
      wrong(unfit);
      return text.focus();
    }
    busy = true;
    hint("");
    const waiting = { audit, item: item.item, body: { answer: given, value, seconds: answering.clock.seconds() } };
    kept.set(PENDING, waiting);
    let words = "";
    try {
      words = await send(waiting);
      if (words !== null) await next(words);
    } catch (error) { failed(error, words); }
  }

  async function send({ audit: of, item: which, body }) { // what is said of it; null: it is still to be answered
    let words = "Saved.";
    try {
      await asking.until("PUT", path(of, "items", which, "label"), body);
      if (counts) [counts.answered, counts.left] = [counts.answered + 1, Math.max(0, counts.left - 1)];
      kept.said().set(which, body);
    } catch (error) {
      if (!(error instanceof asking.Told) || error.status === 401) throw error; // kept: sent again after signing in
      const why = error.message.replaceAll(`Item ${which}`, "it");
      const wanting = item?.item === which && [400, 422].includes(error.status); // still to be answered
      words = wanting ? `Not saved: ${why}` : `The item before this one was not saved: ${why}`;
      if (wanting) {
        kept.set(PENDING, null);
        wrong(words);
        busy = false;
        return null;
      }
      hint(words);
      await count().catch(() => {});
    }
    kept.set(PENDING, null);
    kept.set(DRAFT, null);
    if (counts) drawn.far(counts);
    return words;
  }

  async function skip() {
    if (busy || !item) return;
    busy = true;
    try {
      await asking.until("POST", path(audit, "items", item.item, "skip"));
      if (missing) unshown.add(item.item);
      kept.set(DRAFT, null);
      await next("Skipped.");
    } catch (error) { failed(error); }
  }

  async function undo() { // asked once: what was not answered may have been done, and the next item tells
    if (undoing || (busy && $("end").hidden)) return;
    [busy, undoing] = [true, true];
    try {
      const back = await asking.once("POST", path(audit, "undo"));
      await count();
      if (!back) throw new asking.Told(404, { detail: "You have no answer here that could be taken back." });
      await show(back, kept.said().get(back.item) || null, "Taken back.");
    } catch (error) {
      if (error instanceof asking.Lost) return next("Look whether it was taken back.").then(count).catch(failed);
      if (error.status === 401) return failed(error);
      busy = false;
      if (item) wrong(error.message);
      else hint(error.message);
    } finally { undoing = false; }
  }

  async function end(words, left) { // left: items that cannot be shown
    only("end");
    await count();
    drawn.numbers(counts.answered, [...kept.said().values()]);
    drawn.unshown(left);
    $("back").hidden = !counts.answered;
    picture.clear();
    busy = true;
    say(`${words} Nothing is left for you. ${$("unshown").textContent}`.trim());
    $("end-h").focus();
  }

  // What is pressed.
  const DOES = { skip, undo, home: picture.home, larger: picture.larger, smaller: picture.smaller, mark: picture.toggle };
  const keys = globalThis.auditKeys({ answer, skip, undo, item: () => item, typed: () => typed });
  $("sign-form").addEventListener("submit", signIn);
  $("form").addEventListener("submit", (event) => { event.preventDefault(); answer("value", text.value); });
  $("group").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) answer(button.dataset.answer || "value", button.dataset.value ?? null);
  });
  for (const button of document.querySelectorAll("[data-do]")) button.addEventListener("click", () => DOES[button.dataset.do]());
  for (const button of document.querySelectorAll(".others")) button.addEventListener("click", () => { kept.set(CHOSEN, null); choose("").catch(failed); });
  $("leave").addEventListener("click", () => { for (const name of [DRAFT, CHOSEN]) kept.set(name, null); signedOut(); });
  $("again").addEventListener("click", () => begin(audit).catch(failed));
  $("back").addEventListener("click", undo);
  text.addEventListener("input", () => {
    typed = true;
    wrong(text.value.length < text.maxLength ? "" : `No more than ${text.maxLength.toLocaleString("en")} characters are taken.`);
    if (item) kept.set(DRAFT, { item: item.item, text: text.value });
  });
  asking.when(
    (words) => { hint(`${words} ${kept.get(PENDING) ? "Your answer is kept here and sent again." : "Trying again."}`); $("lost").classList.remove("passing"); },
    () => { hint(""); say("The connection is back."); },
  );

  if (asking.name()) choose().catch(failed);
  else signedOut();
})();
