/* ready: resolves when the page has loaded as far as asked, and tells how far it is. Reads only.
 *
 * In   options { wait: "load" | "domcontentloaded" | "none", selector: a CSS selector to wait for or null, timeout: ms,
 *                quiet: ms without a change of the DOM before S0, quietLimit: ms to wait for that after the load }
 * Out  { load: bool, loadMs, fontsPending, quietMs, selectorFound: bool|null, state }
 *
 * A promise of this world; listeners are passive and go with the document. An observer notes when the DOM last changed,
 * so that the record can say for how long the page had been quiet.
 */
(options) => new Promise((resolve) => {
  // A document can have images named after its own properties: ask the prototype.
  const of = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
  const memory = (globalThis.parallaxQuiet ??= { last: performance.now() });
  if (!memory.observer && of("documentElement")) {
    memory.observer = new MutationObserver(() => { memory.last = performance.now(); });
    memory.observer.observe(document, { subtree: true, childList: true });
    // What arrives from the network is about to change something: an application builds its page from it.
    memory.fetched = new PerformanceObserver(() => { memory.last = performance.now(); });
    memory.fetched.observe({ type: "resource" });
  }
  const began = performance.now();
  const loaded = () => of("readyState") === "complete";
  const find = Document.prototype.querySelector.bind(document);
  // A font whose server never answers holds up the load event for ever, and the browser shows another font after 3 s at most.
  // Nothing but fonts is missing: scripts have run, all that the document names has come, and nothing has for a while.
  const FONTS_ALONE = 1000;
  const came = (url) => !url || performance.getEntriesByName(url, "resource").length > 0;
  const onlyFonts = () => {
    const entry = performance.getEntriesByType("navigation")[0];
    if (!entry?.domContentLoadedEventEnd || of("fonts").status !== "loading") return false;
    if (performance.now() - Math.max(memory.last, entry.domContentLoadedEventEnd) < FONTS_ALONE) return false;
    const all = (selector) => Array.from(Document.prototype.querySelectorAll.call(document, selector));
    return all("img").every((el) => el.complete || el.loading === "lazy") && all("link[rel~=stylesheet]").every((el) => el.sheet || el.disabled)
      && all("script[src],iframe[src],video[src],audio[src],object[data],embed[src]").every((el) => came(el.src || el.data));
  };
  const found = () => {
    if (!options.selector) return null;
    try { return find(options.selector) !== null; } catch { return false; }
  };
  const enough = () =>
    (options.wait === "none" || (options.wait === "domcontentloaded" ? of("readyState") !== "loading" : loaded() || onlyFonts())) && found() !== false;
  const report = () => {
    const entry = performance.getEntriesByType("navigation")[0];
    let pending = 0;
    for (const face of of("fonts")) if (face.status === "loading") pending++;
    memory.observer?.disconnect();
    memory.fetched?.disconnect();
    memory.observer = null;
    resolve({
      load: loaded(), loadMs: entry && entry.loadEventEnd > 0 ? entry.loadEventEnd : null, fontsPending: pending,
      quietMs: performance.now() - memory.last, selectorFound: found(), state: of("readyState"),
      status: entry && entry.responseStatus ? entry.responseStatus : null, redirects: entry ? entry.redirectCount : 0,
      type: of("contentType"), nodes: Document.prototype.getElementsByTagName.call(document, "*").length,
    });
  };
  // A page that holds still and shows next to nothing is an application whose data has not come: it is given its time as well.
  const LEAST = 40;
  const shows = () => {
    const body = of("body");
    return !body || Object.getOwnPropertyDescriptor(HTMLElement.prototype, "innerText").get.call(body).trim().length >= LEAST
      || Document.prototype.querySelector.call(document, "img,canvas,video,iframe,frame,svg,form") !== null;
  };
  let since = null;
  const check = () => {
    const now = performance.now();
    if (now - began > options.timeout) return report();
    if (enough()) {
      // Loaded: an application may only now build its page. S0 waits until it pauses, for a while.
      since ??= now;
      const quiet = now - Math.max(memory.last, since) >= options.quiet;
      if (options.wait === "none" || now - since >= options.quietLimit || (quiet && (options.quiet === 0 || shows()))) return report();
    }
    setTimeout(check, 25);
  };
  check();
})
