// Filters operations while one types. Without it the page is whole.
"use strict";
(() => {
  const field = document.querySelector("#filter");
  const left = document.querySelector("#left");
  const operations = [...document.querySelectorAll(".operation")].map((panel) => ({
    panel, line: document.querySelector(`[data-for="${panel.id}"]`), text: panel.textContent.toLowerCase(),
  }));

  function filter() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { panel, line, text } of operations) {
      const fits = words.every((word) => text.includes(word));
      panel.hidden = line.hidden = !fits;
      shown += fits;
    }
    for (const group of document.querySelectorAll(".group")) {
      group.hidden = !group.querySelector(".operation:not([hidden]), [data-for]:not([hidden])");
    }
    left.textContent = words.length ? `${shown} of ${operations.length} operations` : "";
  }
  field.addEventListener("input", filter);
  // Whoever follows a link to one that is hidden is shown it.
  addEventListener("hashchange", () => {
    const aim = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!aim?.closest("[hidden]")) return;
    field.value = "";
    filter();
    aim.scrollIntoView();
  });
  globalThis.pageKeys({ "/": () => field.focus() }, {
    once: ["/"], leave: (at) => { if (at === field) { field.value = ""; filter(); field.blur(); } },
  });
  filter();
})();
