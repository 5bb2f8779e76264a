// The desk's keys: alone, and with Alt where a text is written.
"use strict";
globalThis.auditKeys = (desk) => { // desk: answer, skip, undo, and which item is shown, and whether its text was typed
  const SINGLE = "audit-single-keys";
  const { auditPicture: picture, auditAnswering: answering } = globalThis;
  const $ = (id) => document.getElementById(id), text = $("text");
  const DOES = {
    absent: () => desk.answer("absent"), unreadable: () => desk.answer("unreadable"), unsure: () => desk.answer("unsure"),
    skip: desk.skip, undo: desk.undo, larger: picture.larger, smaller: picture.smaller, home: picture.home, mark: picture.toggle,
    text: () => { if (desk.item()?.choices.length === 0) text.focus(); },
  };
  const { keys } = JSON.parse($("given").textContent), KEYS = { "=": picture.larger }; // = is + without Shift
  for (const [name, does] of Object.entries(DOES)) KEYS[keys[name]] = does;
  for (const n of [1, 2, 3, 4, 5]) KEYS[n] = () => { if (desk.item()?.choices[n - 1]) desk.answer("value", desk.item().choices[n - 1]); };

  document.addEventListener("keydown", (event) => {
    if (($("desk").hidden && $("end").hidden) || event.isComposing) return;
    const writing = event.target === text, alt = event.altKey && !event.ctrlKey && !event.metaKey;
    const control = (event.ctrlKey || event.metaKey) && !event.altKey;
    if (control && !event.shiftKey && event.key.toLowerCase() === "z" && !(writing && desk.typed())) {
      event.preventDefault();
      return desk.undo();
    }
    if (control || $("desk").hidden) return;
    if (writing && event.key === "Enter" && !event.shiftKey && !alt) {
      event.preventDefault();
      if (!event.repeat) desk.answer("value", text.value);
      return;
    }
    if (writing && event.key === "Escape") return $("group").focus();
    if (!alt && (writing || !$("single").checked || event.target.matches("input, select"))) return;
    const name = answering.named(event, (key) => key in KEYS), does = Object.hasOwn(KEYS, name) ? KEYS[name] : null;
    if (!does || (name === "z" && !alt)) return;
    event.preventDefault();
    if (!event.repeat || "+=-".includes(name)) does();
  });

  function tell() { // which is to be pressed: alone, or with Alt
    document.body.classList.toggle("with-alt", !$("single").checked || document.activeElement === text);
  }
  $("single").checked = localStorage.getItem(SINGLE) !== "off";
  $("single").addEventListener("change", () => {
    localStorage.setItem(SINGLE, $("single").checked ? "on" : "off");
    tell();
  });
  for (const moved of ["focus", "blur"]) text.addEventListener(moved, tell);
  return { tell };
};
