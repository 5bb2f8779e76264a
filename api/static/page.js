// What every page has: keys, and forms that leave out what is empty. Without this script every page is whole.
"use strict";
(() => {
  document.documentElement.classList.add("js");
  document.addEventListener("submit", (event) => {
    if (event.target.method !== "get") return;
    const empty = [...event.target.elements].filter((field) => field.name && !field.disabled && !field.value.trim());
    for (const field of empty) field.disabled = true;
    setTimeout(() => { for (const field of empty) field.disabled = false; }); // for whoever comes back to the page
  });
})();
