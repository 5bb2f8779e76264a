// The draft of last time, put back by a script: the serialised page still says what the form began with.
const field = id => document.getElementById(id);
field("contract").selectedIndex = 1;
field("quantity").value = "250";
field("limit").value = "61.75";
field("renew").checked = true;
field("note").value = "Please confirm by mail";

// A gauge in an open shadow root, with a reading that moves.
customElements.define("grid-gauge", class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({mode: "open"});
    root.innerHTML = `
      <style>
        .track { height: 10px; border-radius: 9px; background: #e5f1ed; margin: 10px 0 6px; overflow: hidden }
        .fill { height: 100%; border-radius: 9px; background: linear-gradient(90deg, #0b6e5f, #f2b441); transition: width .4s }
        .line { display: flex; justify-content: space-between; font-size: 14px; color: #5c716b }
        b { font-size: 22px; color: #10231f; font-variant-numeric: tabular-nums }
      </style>
      <div class="track"><div class="fill"></div></div>
      <div class="line"><b>71.4 %</b><span aria-label="Safe below 90 %">Safe below 90 %</span></div>`;
    let load = 71.4;
    const show = () => {
      load = Math.min(89, Math.max(55, load + (Math.random() - 0.5) * 3));
      root.querySelector("b").textContent = `${load.toFixed(1)} %`;
      root.querySelector(".fill").style.width = `${load}%`;
    };
    show();
    setInterval(show, 600);
  }
});
