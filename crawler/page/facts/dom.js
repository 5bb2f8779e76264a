/* Ways to read the document that a page cannot bend, and what is visible of an element. */
  const started = performance.now();
  //= proto.js
  const nodeType = getter(Node.prototype, "nodeType");
  const parentNode = getter(Node.prototype, "parentNode");
  const rootOf = method(Node.prototype, "getRootNode");
  const within = method(Node.prototype, "contains");
  const contentOf = getter(Node.prototype, "textContent");
  const documentOf = getter(Node.prototype, "ownerDocument");
  const localName = getter(Element.prototype, "localName");
  const shadowOf = getter(Element.prototype, "shadowRoot");
  const slotOf = getter(Element.prototype, "assignedSlot");
  const firstChild = getter(Element.prototype, "firstElementChild");
  const attr = method(Element.prototype, "getAttribute");
  const hasAttr = method(Element.prototype, "hasAttribute");
  const closest = method(Element.prototype, "closest");
  const matches = method(Element.prototype, "matches");
  const boundsOf = method(Element.prototype, "getBoundingClientRect");
  const checkVisibility = method(Element.prototype, "checkVisibility");
  const scrollHeight = getter(Element.prototype, "scrollHeight");
  const clientLeft = getter(Element.prototype, "clientLeft");
  const clientTop = getter(Element.prototype, "clientTop");
  const elementQuery = method(Element.prototype, "querySelector");
  const data = getter(CharacterData.prototype, "data");
  const frameDocument = getter(HTMLIFrameElement.prototype, "contentDocument");
  const frameUrl = getter(HTMLIFrameElement.prototype, "src");
  const rootElement = getter(Document.prototype, "documentElement");
  const bodyOf = getter(Document.prototype, "body");
  const titleOf = getter(Document.prototype, "title");
  const queryAll = method(Document.prototype, "querySelectorAll");
  const query = method(Document.prototype, "querySelector");
  const shadowQuery = method(DocumentFragment.prototype, "querySelector");
  const shadowQueryAll = method(DocumentFragment.prototype, "querySelectorAll");
  const walkerOf = method(Document.prototype, "createTreeWalker");
  const at = method(Document.prototype, "elementFromPoint");
  const shadowAt = method(ShadowRoot.prototype, "elementFromPoint");
  const animationsOf = method(Document.prototype, "getAnimations");

  const W = innerWidth, H = innerHeight;
  const ORIGIN = { x: 0, y: 0 };
  const closed = new Map();
  for (let i = 0; i + 1 < closedRoots.length; i += 2) closed.set(closedRoots[i], closedRoots[i + 1]);
  const shadowRootOf = (el) => shadowOf(el) ?? closed.get(el) ?? null;
  const short = (text, limit) => (text ?? "").replace(/\s+/g, " ").trim().slice(0, limit).toWellFormed();
  const SEEN = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true };
  const visible = (el) => checkVisibility(el, SEEN);
  const round = (v) => Math.round(v * 10) / 10;
  // The part of a rectangle on the viewport, or null. origin: where the document of a frame begins.
  const cut = (rect, origin) => {
    const x = Math.max(0, rect.left + origin.x), y = Math.max(0, rect.top + origin.y);
    const r = Math.min(W, rect.right + origin.x), b = Math.min(H, rect.bottom + origin.y);
    return r - x >= 1 && b - y >= 1 ? { x: round(x), y: round(y), width: round(r - x), height: round(b - y) } : null;
  };
  const shownBox = (el, origin) => (visible(el) ? cut(boundsOf(el), origin) : null);
  const parentOf = (el) => {
    const slot = slotOf(el);
    if (slot) return slot;
    const parent = parentNode(el);
    if (!parent) return null;
    if (nodeType(parent) === 1) return parent;
    return parent instanceof ShadowRoot ? hosts.get(parent) ?? getter(ShadowRoot.prototype, "host")(parent) : null;
  };
  const hosts = new Map([...closed].map(([host, shadow]) => [shadow, host]));
  const inner = new Map();   // frame element -> { document, at }
  // What is drawn on top at a point: through shadow roots and frames that can be read.
  const hitAt = (x, y) => {
    let hit = at(document, x, y), place = ORIGIN;
    for (let depth = 0; hit && depth < 30; depth++) {
      const shadow = shadowRootOf(hit);
      const frame = inner.get(hit);
      let next = null;
      if (shadow) next = shadowAt(shadow, x - place.x, y - place.y);
      else if (frame) { place = frame.at; next = at(frame.document, x - place.x, y - place.y); }
      if (!next || next === hit) break;
      hit = next;
    }
    return hit;
  };
