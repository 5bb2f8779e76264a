/* button: where the one element is that a visit may click, and later whether it is gone. Nothing is scrolled, nothing is clicked here.
 *
 * In   options { selector  CSS; looked for in the document, in open shadow roots and in frames that can be read
 *                wait      false: say where it is; true: wait until it is gone, or nothing changes any more
 *                quiet     ms without a change of the DOM that count as quiet
 *                limit     ms to wait at most }
 * Out  { found, reached, x, y }: whether it is seen, whether nothing lies over its middle, and where that is (CSS px); or, having waited, { gone }.
 */
(options) => {
  //= proto.js
  const shadowOf = getter(Element.prototype, "shadowRoot");
  const frameDocument = getter(HTMLIFrameElement.prototype, "contentDocument");
  const boundsOf = method(Element.prototype, "getBoundingClientRect");
  const checkVisibility = method(Element.prototype, "checkVisibility");
  const within = method(Node.prototype, "contains");
  const clientLeft = getter(Element.prototype, "clientLeft"), clientTop = getter(Element.prototype, "clientTop");
  const all = { document: method(Document.prototype, "querySelectorAll"), shadow: method(DocumentFragment.prototype, "querySelectorAll") };
  const at = { document: method(Document.prototype, "elementFromPoint"), shadow: method(ShadowRoot.prototype, "elementFromPoint") };

  const search = (root, kind, place, path) => {
    for (const el of all[kind](root, options.selector)) {
      const rect = boundsOf(el);
      const x = place.x + rect.left + rect.width / 2, y = place.y + rect.top + rect.height / 2;
      const seen = checkVisibility(el, { opacityProperty: true, visibilityProperty: true }) && rect.width >= 1 && rect.height >= 1;
      if (seen && x >= 0 && y >= 0 && x < innerWidth && y < innerHeight) return { el, x, y, path: [...path, { root, kind, place }] };
    }
    for (const el of all[kind](root, "*")) {
      const shadow = shadowOf(el);
      let content = null;
      if (el instanceof HTMLIFrameElement) { try { content = frameDocument(el); } catch { content = null; } }
      if (!shadow && !content) continue;
      const rect = boundsOf(el);
      const found = shadow ? search(shadow, "shadow", place, [...path, { root, kind, place, host: el }])
        : search(content, "document", { x: place.x + rect.left + clientLeft(el), y: place.y + rect.top + clientTop(el) }, [...path, { root, kind, place, host: el }]);
      if (found) return found;
    }
    return null;
  };
  const find = () => search(document, "document", { x: 0, y: 0 }, []);
  // On its way down every root has to say that the next host, and at last the element, is what is on top.
  const reached = ({ el, x, y, path }) => path.every(({ root, kind, place, host }) => {
    const hit = at[kind](root, x - place.x, y - place.y);
    const target = host ?? el;
    return hit && (hit === target || within(target, hit));
  });
  if (!options.wait) {
    const found = find();
    return found ? { found: true, reached: reached(found), x: found.x, y: found.y } : { found: false, reached: false, x: 0, y: 0 };
  }
  return new Promise((resolve) => {
    const started = performance.now();
    let changed = started;
    const observer = new MutationObserver(() => { changed = performance.now(); });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const look = () => {
      const now = performance.now(), gone = !find();
      if (now - changed < options.quiet && now - started < options.limit) { setTimeout(look, 50); return; }
      if (gone || now - started >= options.limit || now - changed >= 3 * options.quiet) { observer.disconnect(); resolve({ gone }); } else setTimeout(look, 50);
    };
    setTimeout(look, 50);
  });
}
