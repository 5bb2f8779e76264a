/* ready: resolves when the page has loaded as far as asked, and tells how far it is. Reads only.
 *
 * In   options { wait: "load" | "domcontentloaded" | "none", selector: a CSS selector to wait for or null, timeout: ms, settle: ms }
 * Out  { load: bool, loadMs, fontsPending, quietMs, selectorFound: bool|null, state }
 *
 * A promise of this world; listeners are passive and go with the document. An observer notes when the DOM last changed,
 * so that the record can say for how long the page had been quiet.
 */
(options) => new Promise((resolve) => {
  const memory = (globalThis.parallaxQuiet ??= { last: performance.now() });
  if (!memory.observer && document.documentElement) {
    memory.observer = new MutationObserver(() => { memory.last = performance.now(); });
    memory.observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  }
  const began = performance.now();
  const loaded = () => document.readyState === "complete";
  const parsed = () => document.readyState !== "loading";
  const found = () => {
    if (!options.selector) return null;
    try { return document.querySelector(options.selector) !== null; } catch { return false; }
  };
  const enough = () =>
    (options.wait === "none" || (options.wait === "domcontentloaded" ? parsed() : loaded())) && found() !== false;
  let done = false;
  const report = () => {
    if (done) return;
    done = true;
    const entry = performance.getEntriesByType("navigation")[0];
    let pending = 0;
    for (const face of document.fonts) if (face.status === "loading") pending++;
    resolve({
      load: loaded(), loadMs: entry && entry.loadEventEnd > 0 ? entry.loadEventEnd : null, fontsPending: pending,
      quietMs: performance.now() - memory.last, selectorFound: found(), state: document.readyState,
      status: entry && entry.responseStatus ? entry.responseStatus : null, redirects: entry ? entry.redirectCount : 0,
      type: document.contentType, nodes: document.getElementsByTagName("*").length,
    });
  };
  const check = () => {
    if (enough() || performance.now() - began > options.timeout) report();
    else setTimeout(check, 25);
  };
  if (options.wait === "load" && !loaded() && !options.selector) {
    addEventListener("load", () => setTimeout(report, 0), { once: true });
    setTimeout(report, options.timeout);
  } else check();
})
