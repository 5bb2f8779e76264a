// Keys of a page: its own script says which do what. Single ones can be taken off; Escape is no such key.
"use strict";
globalThis.pageKeys = (does, { once = [], leave = () => {} } = {}) => { // once: not again while held; leave: for Escape
  const NAME = "single-keys", MODIFIERS = ["Control", "Meta", "Alt", "AltGraph", "Fn", "OS"];
  const help = document.querySelector(".keys"), box = document.querySelector("#keys-on");
  const kept = { // where the browser keeps nothing, the switch holds until the page is left
    read() { try { return localStorage.getItem(NAME); } catch { return null; } },
    write(value) { try { localStorage.setItem(NAME, value); } catch { /* not kept */ } },
  };
  box.checked = kept.read() !== "off";
  box.addEventListener("change", () => kept.write(box.checked ? "on" : "off"));
  addEventListener("storage", (event) => { if (event.key === NAME) box.checked = event.newValue !== "off"; });
  document.addEventListener("click", (event) => { if (!help.contains(event.target)) help.open = false; });

  const writes = (at) => at.isContentEditable || at.matches("select, textarea, input:not([type=radio], [type=checkbox])");
  function scrolls(at) { // sideways: then the arrows to the left and right are for that
    for (let one = at; one && one !== document.documentElement; one = one.parentElement) {
      if (one.scrollWidth > one.clientWidth && /auto|scroll/.test(getComputedStyle(one).overflowX)) return true;
    }
    const page = document.scrollingElement;
    return page.scrollWidth > page.clientWidth || (visualViewport?.scale ?? 1) > 1;
  }
  document.addEventListener("keydown", (event) => {
    const at = event.target, key = event.key;
    if (event.isComposing || event.defaultPrevented || MODIFIERS.some((name) => event.getModifierState(name))) return;
    if (key === "Escape") {
      if (help.open && help.contains(document.activeElement)) help.querySelector("summary").focus();
      help.open = false;
      return leave(at);
    }
    if (!box.checked || writes(at) || !Object.hasOwn(does, key)) return;
    if (key.startsWith("Arrow") && (event.shiftKey || at.matches("input") || scrolls(at))) return;
    if (event.repeat && once.includes(key)) return;
    event.preventDefault();
    does[key]();
  });
};
