// One item at a time. Answers are kept in this browser's storage after each; nothing is sent anywhere.
"use strict";
(() => {
const { auditAnswering: answering, auditPicture: picture } = globalThis;
const $ = (id) => document.getElementById(id);
const sheet = JSON.parse($("asked").textContent), { guide, keys } = JSON.parse($("given").textContent);
// Every answer has a place of its own, whatever sheet it is given on: so none is written over by a sheet that has other items.
const KEPT = "parallax-audit-answer:" + sheet.audit + ":" + sheet.annotator + ":";
const OLD = "parallax-audit-sheet:" + sheet.audit + ":" + sheet.annotator; // where older sheets keep theirs, all in one
const known = new Map(sheet.items.map((item) => [item.item, item]));
let answers = {}, at = 0, turn = 0, shown = null, kept = true; // shown: the item whose picture is to be seen
const unkept = new Set(); // items whose answers the browser did not take

function fits(item, value) { // whether it is a value that import takes
  if (typeof value !== "string" || [...value].length > $("text").maxLength || answering.unfit(value)) return false;
  return !item.choices.length || item.choices.includes(value);
}

function taken(given) { // what is kept of an answer that was stored or is in a file; null: it is none
  const item = given && known.get(given.item), value = given?.value ?? null;
  if (!item || !["value", "absent", "unreadable", "unsure"].includes(given.answer)) return null;
  if (given.answer === "value" ? !fits(item, value) : value !== null) return null;
  const seconds = Number.isFinite(given.seconds) ? answering.bounded(given.seconds) : null;
  const when = new Date(given.when ?? NaN);
  return { item: item.item, answer: given.answer, value, seconds, ...(Number.isNaN(when.getTime()) ? {} : { when: when.toISOString() }) };
}

function take(all) { // those of them that are answers
  const good = all.map(taken).filter(Boolean);
  for (const given of good) answers[given.item] = given;
  return good;
}

function parsed(text) {
  try { return JSON.parse(text); } catch { return null; }
}

function keep(changed) { // and what could not be kept before
  for (const given of changed) unkept.add(given.item);
  try {
    for (const item of [...unkept]) {
      localStorage.setItem(KEPT + item, JSON.stringify({ ...answers[item], kept: new Date().toISOString() }));
      unkept.delete(item);
    }
  } catch { /* told by kept */ }
  kept = !unkept.size;
}

function carry(given) { // an older sheet's, of an item here or not: the next such sheet would drop what it does not ask
  if (typeof given?.item !== "string" || unkept.has(given.item)) return;
  const own = parsed(localStorage.getItem(KEPT + given.item));
  if (own && !(given.when > (own.kept ?? ""))) return; // answered on a newer sheet since
  take([given]);
  try { localStorage.setItem(KEPT + given.item, JSON.stringify({ ...given, kept: given.when })); } catch { /* it is there still */ }
}

function restore() {
  try {
    take(sheet.items.filter(({ item }) => !unkept.has(item)).map(({ item }) => parsed(localStorage.getItem(KEPT + item))));
    Object.values(parsed(localStorage.getItem(OLD)) ?? {}).forEach(carry);
  } catch { kept = false; }
}

const done = () => Object.keys(answers).length;
const nextOpen = (from) => {
  for (let step = 0; step < sheet.items.length; step += 1) {
    const i = (from + step) % sheet.items.length;
    if (!answers[sheet.items[i].item]) return i;
  }
  return -1;
};

function tell() {
  const n = done(), all = sheet.items.length;
  let text = n + " of " + all + " answered" + (n === all ? ". Done: download answers.json and send it back." : "");
  if (!kept) text += " This browser does not keep answers: download answers.json before you close the page.";
  $("told").textContent = text;
  $("bar").max = Math.max(1, all);
  $("bar").value = n;
}

function button(item, value, number) {
  const made = document.createElement("button");
  made.type = "button";
  made.dataset.value = value;
  made.append(value + " ");
  const key = document.createElement("kbd");
  key.textContent = number;
  made.append(key);
  made.addEventListener("click", () => answer("value", value));
  return made;
}

async function show(index, problem = "") { // question and picture change at once; until then nothing can be answered
  if (!sheet.items.length) return;
  [at, shown, turn] = [index, null, turn + 1];
  const mine = turn, item = sheet.items[at], given = answers[item.item];
  const there = await picture.show(item, item.picture);
  if (mine !== turn) return;
  picture.marked(true);
  $("left").parentElement.classList.toggle("missing", !there);
  $("problem").textContent = problem || (there ? "" : "The picture of this item is missing: skip it, and tell whoever sent you the sheet.");
  $("number").textContent = "Item " + (at + 1) + " of " + sheet.items.length + (given ? " (answered)" : "");
  $("question").textContent = item.question;
  $("do").textContent = guide[item.ask].do + ".";
  for (const one of document.querySelectorAll("[data-when]")) one.textContent = guide[item.ask][one.dataset.when];
  $("written").hidden = item.choices.length > 0;
  $("text").value = given && given.answer === "value" && !item.choices.length ? given.value : "";
  $("choices").replaceChildren(...item.choices.map((value, i) => button(item, value, i + 1)));
  for (const one of document.querySelectorAll("#choices button")) {
    one.setAttribute("aria-pressed", String(Boolean(given && given.value === one.dataset.value)));
  }
  for (const one of document.querySelectorAll("#others button")) {
    one.setAttribute("aria-pressed", String(Boolean(given && given.answer === one.dataset.answer)));
  }
  (item.choices.length ? $("question") : $("text")).focus({ preventScroll: true });
  if (there) shown = item;
  answering.clock.start();
  tell();
}

function answer(kind, value = null) {
  const item = shown, text = kind === "value" ? value.trim() : null;
  if (!item) return;
  const why = kind === "value" ? answering.unfit(text) : "";
  $("problem").textContent = why;
  if (why) return;
  const before = answers[item.item]?.seconds || 0, seconds = answering.bounded(before + answering.clock.seconds());
  answers[item.item] = { item: item.item, answer: kind, value: text, seconds, when: new Date().toISOString() };
  keep([item]);
  const next = nextOpen(at + 1);
  show(next < 0 ? at : next);
}

const does = {
  back: () => show((at + sheet.items.length - 1) % sheet.items.length),
  skip: () => show((at + 1) % sheet.items.length),
  open: () => show(Math.max(0, nextOpen(at + 1))),
  absent: () => answer("absent"),
  unreadable: () => answer("unreadable"),
  unsure: () => answer("unsure"),
  larger: picture.larger, smaller: picture.smaller, home: picture.home, mark: picture.toggle,
};
const byKey = new Map(Object.entries(does).map(([name, done]) => [keys[name], done]));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.isComposing) return;
  const writing = event.target === $("text"), digit = (key) => /^[1-9]$/.test(key);
  const name = event.altKey ? answering.named(event, (key) => byKey.has(key) || digit(key)) : event.key;
  if (event.altKey && byKey.has(name)) {
    event.preventDefault();
    if (!event.repeat) byKey.get(name)();
  } else if (writing && event.key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    if (!event.repeat) answer("value", $("text").value);
  } else if ((event.altKey || !writing) && digit(name)) {
    const chosen = shown && shown.choices[Number(name) - 1];
    if (chosen) {
      event.preventDefault(); // else the digit is written into the next item's field
      if (!event.repeat) answer("value", chosen);
    }
  }
});
$("form").addEventListener("submit", (event) => { event.preventDefault(); answer("value", $("text").value); });
for (const one of document.querySelectorAll("#others button")) {
  one.addEventListener("click", () => answer(one.dataset.answer));
}
for (const one of document.querySelectorAll("[data-do]")) one.addEventListener("click", does[one.dataset.do]);
$("text").addEventListener("input", () => {
  const full = $("text").value.length >= $("text").maxLength;
  $("problem").textContent = full ? "No more than " + $("text").maxLength + " characters are taken." : "";
});

$("save").addEventListener("click", () => {
  restore(); // what was answered on another sheet since
  tell();
  const given = sheet.items.map((item) => answers[item.item]).filter(Boolean);
  const { format, items, until, ...head } = sheet; // whose it is, and of which sheet
  const content = { format: "parallax-audit-answers/1", ...head, answers: given };
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(content, null, 1) + "\n"], { type: "application/json" }));
  link.download = "answers.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
});
$("load").addEventListener("change", async () => {
  try {
    const read = JSON.parse(await $("load").files[0].text());
    if (read.audit !== sheet.audit || read.annotator !== sheet.annotator) throw new Error("it is of another sheet");
    const all = take(read.answers), good = all.length, bad = read.answers.length - good;
    keep(all);
    show(Math.max(0, nextOpen(0)), good + (good === 1 ? " answer" : " answers") + " read"
      + (bad ? ", " + bad + " are of no item here or no answers" : "") + ".");
  } catch (error) {
    $("problem").textContent = "This file cannot be read: " + error.message + ".";
  }
  $("load").value = "";
});
window.addEventListener("beforeunload", (event) => { if (!kept && done()) event.preventDefault(); });

restore();
tell();
if (sheet.items.length) show(Math.max(0, nextOpen(0)));
else $("question").textContent = "This sheet has no items.";
})();
