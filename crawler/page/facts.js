/* facts: what kind of page this is: how much text there is to see, what lies over it, what turns, whose marks it bears.
 *
 * In   options { selectors  [name, CSS selector of a known vendor's mark-up, whether it matters on a page with little text only]
 *                inline     strings that only a challenge's own scripts hold
 *                maxTexts   visible texts reported; what is over it is counted in `chars` only
 *                maxNodes   text nodes looked at, in all documents together }
 *      closed shadow roots, as [host, root, host, root, ...] (further arguments: nodes)
 * Out  the record PageFacts of domain/pages/facts.py, as JSON. Boxes in CSS px of the main viewport, cut to it.
 *
 * Runs in an isolated world on a stopped page, after the pixels. Reads only; judging is Python's (domain/page.py).
 * Named elements shadow what a document has ("form.children"), so every DOM property is read through its prototype.
 */
(options, ...closedRoots) => {
//= facts/dom.js
//= facts/texts.js
//= facts/layers.js
//= facts/busy.js
  const [shownDocument] = documents;
  const root = rootElement(shownDocument), body = bodyOf(shownDocument);
  const rootStyle = root && getComputedStyle(root), bodyStyle = body && getComputedStyle(body);
  const locks = (style) => style && (style.overflowY === "hidden" || style.overflowY === "clip");
  const listed = (selector, limit, tell) => {
    const found = [];
    for (const node of queryAll(shownDocument, selector)) {
      if (found.length >= limit) break;
      const told = tell(node);
      if (told !== null && told !== "") found.push(told);
    }
    return found;
  };
  const meta = (name) => listed(`meta[${name} i]`, 1, (node) => short(attr(node, "content"), 500))[0] ?? "";
  const absolute = (value) => { try { return short(new URL(value, location.href).href, 500); } catch { return short(value, 500); } };
  // Each selector by itself: a single id or class is looked up, a list of them is tried on every element. What only a wall has
  // is looked for only where there is little to read.
  const marks = {};
  const much = chars.truncated || chars.page - chars.links > 4000;
  for (const [name, selector, bare] of options.selectors) {
    if (bare && much) continue;
    for (const scope of scopes) {
      const node = scope.query(selector);
      if (!node) continue;
      const box = shownBox(node, scope.at);
      if (!marks[name] || box) marks[name] = box;
    }
  }
  // The scripts of a challenge are looked through only where there is little to read: they are the page.
  const inline = much ? [] : options.inline.filter((mark) => queryAll(shownDocument, "script:not([src])").length
    && [...queryAll(shownDocument, "script:not([src])")].some((node) => !/json|template/i.test(attr(node, "type") ?? "") && contentOf(node).includes(mark)));

  return JSON.stringify({
    version: 1, took: 0, url: short(location.href, 2000), title: short(titleOf(shownDocument), 500), language: short(root ? attr(root, "lang") : "", 40),
    view: { width: W, height: H },
    page_height: root ? scrollHeight(root) : 0,
    chars: { page: chars.page, shown: chars.shown, prose: chars.prose, links: chars.links },
    truncated: chars.truncated,
    texts: blocks.slice(0, options.maxTexts),
    headings: listed("h1, h2, h3", 40, (node) => visible(node) ? short(contentOf(node), 200) : null).slice(0, 10),
    scripts: listed("script[src]", 100, (node) => absolute(attr(node, "src"))),
    inline,
    forms: listed("form", 20, (node) => absolute(attr(node, "action") ?? "")),
    noscript: listed("noscript", 5, (node) => short(contentOf(node), 300)),
    generator: meta('name="generator"'), refresh: meta('http-equiv="refresh"'), robots: meta('name="robots"'),
    fields, frames, layers, busy, marks,
    locked: Boolean(locks(rootStyle) || locks(bodyStyle) || bodyStyle?.position === "fixed"),
    grid: rows,
  }).replace('"took":0', `"took":${Math.round((performance.now() - started) * 10) / 10}`);
}
