// What the desk draws: words, the audits to choose from, what is asked and can be answered, the numbers at the end.
"use strict";
globalThis.auditDrawn = (() => {
  const $ = (id) => document.getElementById(id), { guide } = JSON.parse($("given").textContent);
  const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}.`;
  const made = (tag, textContent) => Object.assign(document.createElement(tag), { textContent });

  const say = (words) => { $("said").textContent = words; }; // for ears

  function hint(words) { // for eyes
    $("lost").textContent = words;
    $("lost").hidden = !words;
    $("lost").classList.toggle("passing", Boolean(words));
  }

  function wrong(words) {
    $("wrong").textContent = words;
    $("wrong").hidden = !words;
  }

  function far(counts) {
    const all = counts.answered + counts.left;
    $("far").textContent = `${counts.answered.toLocaleString("en")} of ${all.toLocaleString("en")}`;
    $("done").max = Math.max(1, all);
    $("done").value = counts.answered;
    $("undo").disabled = !counts.answered;
    $("third").hidden = $("third-means").hidden = !counts.adjudicates;
  }

  function lacking(words) { // of an item without its picture, which can be skipped and nothing else; "": it is there
    $("gone").textContent = words;
    $("gone").hidden = !words;
    $("work").classList.toggle("missing", Boolean(words));
    return Boolean(words);
  }

  function audits(items, choose) { // choose: called with the name of the one that is pressed
    $("audits").replaceChildren(...items.map((one) => {
      const button = document.createElement("button"), li = document.createElement("li");
      button.type = "button";
      button.append(made("b", one.audit), ` ${one.items.toLocaleString("en")} ${one.items === 1 ? "item" : "items"}`);
      button.addEventListener("click", () => choose(one.audit));
      li.append(button);
      return li;
    }));
    $("none").hidden = items.length > 0;
  }

  function question(found, label) { // label: what was answered before it was taken back
    $("question").textContent = found.question;
    $("written").hidden = $("mode").hidden = found.choices.length > 0;
    $("choices").replaceChildren(...found.choices.map((choice, n) => {
      const button = Object.assign(document.createElement("button"), { type: "button" });
      button.dataset.value = choice;
      button.setAttribute("aria-keyshortcuts", `${n + 1} Alt+${n + 1}`);
      button.append(made("kbd", n + 1), made("b", choice));
      return button;
    }));
    const how = guide[found.ask];
    $("do").textContent = sentence(how.do);
    for (const name of ["absent", "unreadable", "unsure"]) $(`${name}-means`).textContent = sentence(how[name]);
    for (const button of $("group").querySelectorAll("button")) {
      const before = label && (label.answer === "value" ? button.dataset.value === label.value : button.dataset.answer === label.answer);
      button.classList.toggle("before", Boolean(before));
    }
  }

  function numbers(answered, here) { // here: what was answered in this tab
    const of = (kind) => here.filter((one) => one.answer === kind).length;
    const took = here.map((one) => one.seconds).sort((a, b) => a - b);
    const rows = [["Answered by you, in all", answered]];
    if (here.length) {
      rows.push(["Of these in this tab", here.length]);
      for (const kind of ["absent", "unreadable", "unsure"]) rows.push([`In this tab ${kind}`, of(kind)]);
      rows.push(["In this tab seconds each, median", took[took.length >> 1].toFixed(1)]);
    }
    $("numbers").replaceChildren(...rows.map(([name, value]) => {
      const div = document.createElement("div");
      div.append(made("dt", name), made("dd", value.toLocaleString("en")));
      return div;
    }));
  }

  function unshown(left) { // items that are left at the end: their pictures cannot be shown
    const items = left === 1 ? "one item, whose picture" : `${left.toLocaleString("en")} items, whose pictures`;
    $("unshown").textContent = left ? `But for ${items} cannot be shown. Tell whoever runs this.` : "";
    $("unshown").hidden = !left;
  }

  return { say, hint, wrong, far, lacking, audits, question, numbers, unshown };
})();
