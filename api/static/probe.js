// A probe's page: s switches between the channels, and what is shown now is said. Without this script there are the radio buttons.
"use strict";
(() => {
  const screen = document.querySelector("#show-screen");
  const structure = document.querySelector("#show-structure");
  if (!structure) return;

  function say() {
    const { said } = document.querySelector("[name=channel]:checked").dataset;
    for (const picture of document.querySelectorAll("[data-of]")) {
      picture.setAttribute(picture.matches("img") ? "alt" : "aria-label", `${picture.dataset.of} ${said}`);
    }
    document.querySelector("#shown").textContent = said;
  }
  document.querySelector(".switch").addEventListener("change", say);
  const turn = () => { (structure.checked ? screen : structure).checked = true; say(); };
  globalThis.pageKeys({ s: turn }, { once: ["s"] });
})();
