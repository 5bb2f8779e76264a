/* scroll: brings another part of the page into the viewport, and says where it is. The one script that changes something: what is seen.
 *
 * In   options { to: CSS px from the top, or null to ask only }
 * Out  { y: where it is now, CSS px; most: how far it goes; view: height of what scrolls, CSS px; inner: whether an element scrolls
 *        instead of the document }
 *
 * Where the document itself does not scroll, the element that does and fills most of the viewport is taken (an application's main
 * part). It is found once and kept, so that every position is one of the same.
 */
(options) => {
  //= proto.js
  const height = getter(Element.prototype, "scrollHeight"), shown = getter(Element.prototype, "clientHeight");
  const page = getter(Document.prototype, "scrollingElement")(document) ?? getter(Document.prototype, "documentElement")(document);
  const memory = (globalThis.parallaxScroll ??= { el: null });
  const find = () => {
    if (height(page) > innerHeight + 1 && !/hidden|clip/.test(getComputedStyle(page).overflowY)) return page;
    let best = page, most = 0.5 * innerWidth * innerHeight;
    for (const el of Document.prototype.querySelectorAll.call(document, "*")) {
      if (height(el) <= shown(el) + 1 || shown(el) < 0.4 * innerHeight) continue;
      if (!/auto|scroll/.test(getComputedStyle(el).overflowY)) continue;
      const r = Element.prototype.getBoundingClientRect.call(el);
      const width = Math.min(r.right, innerWidth) - Math.max(r.left, 0), tall = Math.min(r.bottom, innerHeight) - Math.max(r.top, 0);
      if (width > 0 && tall > 0 && width * tall >= most) { best = el; most = width * tall; }
    }
    return best;
  };
  const el = (memory.el ??= find());
  if (options.to !== null) Element.prototype.scrollTo.call(el, { top: options.to, behavior: "instant" });
  const view = el === page ? innerHeight : shown(el);
  return { y: getter(Element.prototype, "scrollTop")(el), most: height(el) - view, view, inner: el !== page };
}
