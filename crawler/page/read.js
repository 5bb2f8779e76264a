/* read: what the page shows and what its structure says, at one instant (one script turn). Reads only; judging is Python's.
 *
 * In   options {
 *        html      whether to serialise the document too (S0)
 *        light     only what the bracket compares: key, text, box, visibility, live state (the reading after the pixels)
 *        hit       whether to hit-test elements that carry a name or whose text changed since the last html reading
 *        framed    whether the document is that of a frame: what is under it is not known here
 *        position  which scroll position this is (0 where absent): S0 is remembered for each of them
 *        maxElements, maxHidden, maxFar, maxFarTexts, maxNodes, maxHtml, maxText   limits; what is over them is counted, never cut silently
 *      }
 *      closedRoots   closed shadow roots: host, root, host, root, ...
 * Out  see docs/reading.md; columns have short names because a reading may hold 20,000 elements.
 *
 * Runs in an isolated world: the page's own patches to prototypes and globals do not reach it.
 * No page state is written: what is remembered between readings is in a variable of this world.
 * The lines "//= name" stand for the parts in the folder of that name, put in as they are (docs/decisions/0008).
 */
(options, ...closedRoots) => {
  //= read/dom.js
  //= read/memory.js
  for (let i = 0; i + 1 < closedRoots.length; i += 2) memory.closed.set(closedRoots[i], closedRoots[i + 1]);
  //= read/geometry.js
  const started = performance.now();
  const view = { width: innerWidth, height: innerHeight, scale: devicePixelRatio, scrollX, scrollY };
  const VIEW = { x: 0, y: 0, r: view.width, b: view.height };
  const out = {
    version: 1, now: started, origin: performance.timeOrigin, wall: Date.now(), url: location.href,
    title: well(getter(Document.prototype, "title")(document)), ready: getter(Document.prototype, "readyState")(document),
    view, nodes: byTag(document, "*").length, truncated: 0, tooLarge: null, frames: [], closedHosts: 0, elements: [],
  };
  const root = rootElement(document);
  out.page = root ? { width: scrollWidth(root), height: scrollHeight(root), tag: localName(root) } : { width: 0, height: 0, tag: "" };
  if (out.nodes > options.maxNodes) { out.tooLarge = `${out.nodes} elements`; return JSON.stringify(out); }

  const LIGHT = options.light === true;
  // Only the reading at S0 looks at what is hidden or far from the viewport: whatever it is, no picture shows it.
  const FAR = options.html === true;
  if (FAR) forgetServed();
  //= read/seen.js
  //= read/opaque.js
  //= read/pieces.js
  //= read/paint.js
  //= read/covers.js
  //= read/beneath.js
  //= read/hosts.js
  //= read/texts.js
  //= read/counters.js
  //= read/generated.js
  //= read/controls.js
  //= read/shapes.js
  //= read/context.js
  //= read/elements.js
  //= read/hidden.js
  //= read/lines.js
  //= read/fill.js
  //= read/frames.js
  //= read/visit.js
  if (root) visit(root, localName(root), { at: ORIGIN, clip: EVERYWHERE, carve: EVERYWHERE, outermost: EVERYWHERE, parent: null, el: null, opacity: 1,
    ground: options.framed ? null : { r: 255, g: 255, b: 255, a: 1 }, stops: null, shapes: null, veil: false, away: false, svg: false, filters: "", textClip: false, ellipsis: null, clamp: false, blankMatters: true,
    inert: HIT && byTag(document, "dialog").length > 0 && Array.prototype.some.call(byTag(document, "dialog"), (d) => matches(d, ":modal")) }, -1, 0);
  if (HIT) hitTest();

  if (FAR) {
    //= read/html.js
    if (html.length > options.maxHtml) { out.tooLarge = `${html.length} characters of HTML`; out.elements = []; return JSON.stringify(out); }
    out.html = well(html);
  }
  // Hosts are nodes: they leave by handle, not by value. The caller asks for them only where the count says so.
  memory.hosts = suspects.flat();
  out.closedHosts = memory.hosts.length;
  out.took = performance.now() - started;
  return JSON.stringify(out);
}
