/* The texts that can be seen, block by block; the documents, shadow roots and frames they stand in; fields of forms. */
  const NO_TEXT = new Set(["script", "style", "noscript", "template", "title", "textarea", "option", "datalist", "audio", "video", "canvas", "iframe", "object"]);
  const ROLES = [["b", "button, [role=button], summary"], ["h", "h1, h2, h3, [role=heading]"]];
  const FURNITURE = "nav, header, footer, aside, [role=navigation], [role=banner], [role=contentinfo], [role=menubar], [role=complementary]";
  const chars = { page: 0, shown: 0, prose: 0, links: 0, truncated: false };
  const blocks = [], fields = [], frames = [], documents = [document];
  const scopes = [];         // { query, at }: every tree that selectors have to be asked of separately
  const byElement = new Map();
  const range = document.createRange();
  let nodesLeft = options.maxNodes, metLeft = 4 * options.maxNodes;

  const frameFacts = (el, origin) => {
    const rect = boundsOf(el), box = shownBox(el, origin);
    let content = null;
    try { content = frameDocument(el); } catch { content = null; }
    const readable = Boolean(content && rootElement(content));
    frames.push({ url: short(frameUrl(el) || (readable ? content.URL : ""), 500), title: short(attr(el, "title"), 200), id: short(attr(el, "id"), 200), box, read: readable });
    if (readable && box) {
      const place = { x: origin.x + rect.left + clientLeft(el), y: origin.y + rect.top + clientTop(el) };
      inner.set(el, { document: content, at: place });
      documents.push(content);
      readTree(content, rootElement(content), place);
    }
  };
  const fieldFacts = (el, origin) => {
    const type = localName(el) === "input" ? (attr(el, "type") ?? "text").toLowerCase() : localName(el);
    if (type === "hidden" || fields.length >= 60) return;
    const box = shownBox(el, origin);
    if (!box) return;
    const pushes = type === "submit" || type === "button";
    fields.push({ type: short(type, 20), name: short(attr(el, "name") ?? attr(el, "id"), 100), autocomplete: short(attr(el, "autocomplete"), 60), box });
    if (pushes) addText(el, short(attr(el, "value"), 200), box, "b");
  };
  const addText = (el, text, box, role) => {
    const block = { text, box, role, furniture: Boolean(closest(el, FURNITURE)), over: 0, layer: -1 };
    blocks.push(block);
    byElement.set(el, block);
  };
  const seenParents = new Map();
  const parentFacts = (el) => {
    let facts = seenParents.get(el);
    if (!facts) {
      facts = { seen: !NO_TEXT.has(localName(el)) && visible(el), rect: null, block: null, role: null };
      if (facts.seen) {
        facts.rect = boundsOf(el);
        facts.role = closest(el, "a[href], [role=link]") ? "a" : "";
      }
      seenParents.set(el, facts);
    }
    return facts;
  };
  const textNode = (node, origin) => {
    const value = data(node);
    const parent = parentNode(node);
    if (!parent || nodeType(parent) !== 1 || !/\S/.test(value)) return;
    if (metLeft-- <= 0) { chars.truncated = true; return; }
    const facts = parentFacts(parent);
    if (!facts.seen) return;
    if (nodesLeft-- <= 0) { chars.truncated = true; return; }
    const text = short(value, 2000);
    chars.page += text.length;
    if (facts.role === "a") chars.links += text.length;
    else if (text.length >= 80) chars.prose += text.length;
    const { rect } = facts;
    if (rect.width && (rect.bottom + origin.y < 0 || rect.top + origin.y > H || rect.right + origin.x < 0 || rect.left + origin.x > W)) return;
    range.selectNodeContents(node);
    const box = cut(range.getBoundingClientRect(), origin);
    if (!box) return;
    if (facts.block && facts.block.text.length < 300) {
      const b = facts.block, r = Math.max(b.box.x + b.box.width, box.x + box.width), e = Math.max(b.box.y + b.box.height, box.y + box.height);
      const x = Math.min(b.box.x, box.x), y = Math.min(b.box.y, box.y);
      b.box = { x, y, width: round(r - x), height: round(e - y) };
      b.text = `${b.text} ${text}`.slice(0, 600).toWellFormed();
    } else {
      addText(parent, text.slice(0, 600).toWellFormed(), box, ROLES.find(([, selector]) => closest(parent, selector))?.[0] ?? facts.role);
      facts.block = blocks.at(-1);
    }
  };
  // Flat enough: shadow roots and frames are read where their hosts stand.
  const readTree = (doc, top, origin) => {
    scopes.push({ query: top instanceof ShadowRoot ? (s) => shadowQuery(top, s) : (s) => query(doc, s), at: origin, all: top instanceof ShadowRoot ? (s) => shadowQueryAll(top, s) : (s) => queryAll(doc, s) });
    const walker = walkerOf(document, top, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && !chars.truncated; node = walker.nextNode()) {
      if (nodeType(node) === 3) { textNode(node, origin); continue; }
      const shadow = shadowRootOf(node);
      if (shadow) { hosts.set(shadow, node); readTree(doc, shadow, origin); }
      const name = localName(node);
      if (name === "iframe") { if (frames.length < 40) frameFacts(node, origin); }
      else if (name === "input" || name === "textarea" || name === "select") fieldFacts(node, origin);
    }
  };
  // Of a page with too many texts, those of a layer all the same: a banner stands at the end of a document as often as not.
  const readLayer = (el) => {
    const walker = walkerOf(document, el, NodeFilter.SHOW_TEXT);
    nodesLeft = metLeft = 300;
    for (let node = walker.nextNode(); node && nodesLeft > 0; node = walker.nextNode()) if (!byElement.has(parentNode(node))) textNode(node, ORIGIN);
  };
  if (rootElement(document)) readTree(document, rootElement(document), ORIGIN);
