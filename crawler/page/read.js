/* read: what the page shows and what its structure says, at one instant (one script turn). Reads only; judging is Python's.
 *
 * In   options {
 *        html      whether to serialise the document too (S0)
 *        light     only what the bracket compares: key, text, box, visibility, live state (the reading after the pixels)
 *        hit       whether to hit-test elements that carry a name or whose text changed since the last html reading
 *        maxElements, maxHidden, maxFar, maxFarTexts, maxNodes, maxHtml, maxText   limits; what is over them is counted, never cut silently
 *        closed    closed shadow roots, as [host, root, host, root, ...] (further arguments: nodes)
 *      }
 * Out  see docs/reading.md; columns have short names because a reading may hold 20,000 elements.
 *
 * Runs in an isolated world: the page's own patches to prototypes and globals do not reach it. Named elements do
 * (a form with an input called "children"), so every DOM property is read through its prototype's getter.
 * No page state is written: identities of nodes live in a WeakMap of this world.
 */
(options, ...closedRoots) => {
  const getter = (proto, name) => {
    const get = Object.getOwnPropertyDescriptor(proto, name).get;
    return (node) => get.call(node);
  };
  const method = (proto, name) => {
    const fn = proto[name];
    return (node, ...args) => fn.apply(node, args);
  };
  const nodeType = getter(Node.prototype, "nodeType");
  const childNodes = getter(Node.prototype, "childNodes");
  const parentNode = getter(Node.prototype, "parentNode");
  const localName = getter(Element.prototype, "localName");
  const shadowOf = getter(Element.prototype, "shadowRoot");
  const attr = method(Element.prototype, "getAttribute");
  const elementsIn = method(Element.prototype, "getElementsByTagName");
  const attrNames = method(Element.prototype, "getAttributeNames");
  const hasAttr = method(Element.prototype, "hasAttribute");
  const matches = method(Element.prototype, "matches");
  const boundsOf = method(Element.prototype, "getBoundingClientRect");
  const previousElement = getter(Element.prototype, "previousElementSibling");
  const offsetWidth = (el) => HTMLElement.prototype.__lookupGetter__("offsetWidth").call(el);
  const offsetHeight = (el) => HTMLElement.prototype.__lookupGetter__("offsetHeight").call(el);
  const clientWidth = getter(Element.prototype, "clientWidth");
  const clientHeight = getter(Element.prototype, "clientHeight");
  const clientLeft = getter(Element.prototype, "clientLeft");
  const clientTop = getter(Element.prototype, "clientTop");
  const scrollWidth = getter(Element.prototype, "scrollWidth");
  const scrollHeight = getter(Element.prototype, "scrollHeight");
  const textData = getter(CharacterData.prototype, "data");
  const assigned = method(HTMLSlotElement.prototype, "assignedNodes");
  const within = method(DocumentFragment.prototype, "querySelectorAll");
  const frameDocument = getter(HTMLIFrameElement.prototype, "contentDocument");
  const rootElement = getter(Document.prototype, "documentElement");
  const byTag = method(Document.prototype, "getElementsByTagName");
  const pointStack = method(Document.prototype, "elementsFromPoint");
  const shadowPointStack = method(ShadowRoot.prototype, "elementsFromPoint");

  const memory = (globalThis.parallaxMemory ??= { keys: new WeakMap(), next: 1, served: new Map(), far: new WeakMap(), known: new Set() });
  const keyOf = (node) => {
    let key = memory.keys.get(node);
    if (!key) memory.keys.set(node, (key = memory.next++));
    return key;
  };
  const closed = new Map();
  for (let i = 0; i + 1 < closedRoots.length; i += 2) closed.set(closedRoots[i], closedRoots[i + 1]);
  const shadowRootOf = (el) => shadowOf(el) ?? closed.get(el) ?? null;

  // Half a surrogate pair, which a page may hold and a cut may leave, is no text: it has no UTF-8.
  const well = (text) => text.toWellFormed();
  const started = performance.now();
  const view = { width: innerWidth, height: innerHeight, scale: devicePixelRatio, scrollX, scrollY };
  const out = {
    version: 1, now: started, origin: performance.timeOrigin, wall: Date.now(), url: location.href,
    title: well(getter(Document.prototype, "title")(document)), ready: getter(Document.prototype, "readyState")(document),
    view, nodes: byTag(document, "*").length, truncated: 0, tooLarge: null, frames: [], closedHosts: [], elements: [],
  };
  const root = rootElement(document);
  out.page = root ? { width: scrollWidth(root), height: scrollHeight(root), tag: localName(root) } : { width: 0, height: 0, tag: "" };
  if (out.nodes > options.maxNodes) { out.tooLarge = `${out.nodes} elements`; return JSON.stringify(out); }

  const told = (state) => ({ ...state, served: typeof state.served === "string" ? well(state.served) : state.served,
    live: typeof state.live === "string" ? well(state.live) : state.live });
  const round = (v) => Math.round(v * 100) / 100;
  const crop = (a, b) => {
    const x = Math.max(a.x, b.x), y = Math.max(a.y, b.y);
    return { x, y, r: Math.min(a.r, b.r), b: Math.min(a.b, b.b) };
  };
  const area = (q) => Math.max(0, q.r - q.x) * Math.max(0, q.b - q.y);
  // at: where the document of a frame begins on the viewport, and its scale there.
  const quad = (rect, at) => ({ x: rect.left * at.s + at.x, y: rect.top * at.s + at.y, r: rect.right * at.s + at.x, b: rect.bottom * at.s + at.y });
  const join = (a, b) => (a ? { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), r: Math.max(a.r, b.r), b: Math.max(a.b, b.b) } : b);
  const VIEW = { x: 0, y: 0, r: view.width, b: view.height };
  const ORIGIN = { x: 0, y: 0, s: 1 };
  const EVERYWHERE = { x: -1e9, y: -1e9, r: 1e9, b: 1e9 };

  const colours = new Map();
  const colour = (css) => {
    let c = colours.get(css);
    if (c === undefined) {
      const m = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(css);
      c = m ? { r: +m[1], g: +m[2], b: +m[3], a: m[4] === undefined ? 1 : +m[4] } : null;
      colours.set(css, c);
    }
    return c;
  };
  const close = (a, b) => a && b && Math.abs(a.r - b.r) < 10 && Math.abs(a.g - b.g) < 10 && Math.abs(a.b - b.b) < 10;

  // Text pieces in reading order. An element's text is the pieces between two marks: a subtree is an unbroken run of them.
  const pieces = [];     // { text, before: "" | " " | "\n", box, seen, why, cut, partial, icon }
  let gap = "";          // what stands between the last piece and the next: nothing, a blank, or a line's end
  const gapAtLeast = (g) => { if (g === "\n" || gap === "") gap = g; };
  let owner = null, frameNow = 0;   // whose text the next piece is, and in which frame
  let frameStack = [];              // the frame elements around it, outermost first
  const push = (piece) => { piece.before = gap; piece.owner = owner; piece.frame = frameNow; piece.frames = frameStack; gap = ""; pieces.push(piece); };

  const MASKED = "\u2022";
  const shaped = (text, style) => {
    if (style.webkitTextSecurity && style.webkitTextSecurity !== "none") return text.replace(/\S/gu, MASKED);
    switch (style.textTransform) {
      case "uppercase": return text.toUpperCase();
      case "lowercase": return text.toLowerCase();
      case "capitalize": return text.replace(/(^|[^\p{L}\p{N}'\u2019])(\p{L})/gu, (_, a, b) => a + b.toUpperCase());
      default: return text;
    }
  };
  const unseen = (style, ctx) => (ctx.style === style ? (ctx.unseen ??= whyUnseen(style, ctx)) : whyUnseen(style, ctx));
  const whyUnseen = (style, ctx) => {
    if (style.visibility !== "visible") return "hidden";
    if (ctx.opacity < 0.06) return "transparent";
    if (parseFloat(style.fontSize) < 2) return "zero-size";
    const fill = colour(style.webkitTextFillColor || style.color);
    const painted = style.textShadow !== "none" || parseFloat(style.webkitTextStrokeWidth) > 0 || ctx.textClip;
    if (!painted && fill && fill.a < 0.06) return "transparent";
    if (!painted && fill && fill.a === 1 && ctx.ground && close(fill, ctx.ground)) return "same-colour";
    return "";
  };
  // An icon font draws one glyph for a word: the word is as wide as one or two letters, whatever the font is called.
  const looksLikeIcon = (text, box, style) => {
    const word = text.trim();
    if (/^[\p{Co}\s]+$/u.test(word)) return true;
    if (!/^[a-z0-9_ ]{3,}$/i.test(word) || word.length < 3) return false;
    const size = parseFloat(style.fontSize);
    if (word.length >= 4 && box.r - box.x <= 1.15 * size && box.b - box.y <= 2.2 * size) return true;
    return /icon|symbol|awesome|glyph/i.test(style.fontFamily) && box.r - box.x <= 1.3 * size;
  };

  const range = document.createRange();
  const rectsBetween = (node, from, to, at) => {
    range.setStart(node, from);
    range.setEnd(node, to);
    return Array.from(range.getClientRects(), (r) => quad(r, at)).filter((q) => q.r > q.x || q.b > q.y);
  };
  // How much of a text's rectangles is inside the clip, 0 to 1.
  const shareSeen = (rects, clip) => {
    let whole = 0, seen = 0;
    for (const q of rects) { whole += area(q); seen += area(crop(q, clip)); }
    return whole ? seen / whole : 0;
  };
  // Left of or above the page's origin nothing can be scrolled into view: such text is for screen readers.
  const offPage = (rects) => rects.every((q) => q.r + view.scrollX <= 0 || q.b + view.scrollY <= 0);
  const outsideView = (rects) => rects.every((q) => area(crop(q, VIEW)) === 0);

  const readText = (node, style, ctx) => {
    const data = textData(node);
    if (!/\S/.test(data)) { if (data && ctx.blankMatters) gapAtLeast(" "); return; }
    const pre = /^(pre|break-spaces)/.test(style.whiteSpaceCollapse ?? style.whiteSpace);
    if (/^\s/.test(data)) gapAtLeast(" ");
    const rects = rectsBetween(node, 0, data.length, ctx.at);
    const piece = { text: "", box: null, seen: false, why: "", cut: false, partial: false, icon: false, lines: [], at: ctx.at };
    const whole = shaped(pre ? data : data.replace(/\s+/g, " ").trim(), style);
    let why = rects.length && rects.some((q) => area(q) > 0) ? unseen(style, ctx) : "zero-size";
    const clip = crop(ctx.clip, VIEW);
    const share = why ? 0 : shareSeen(rects, clip);
    if (!why && share === 0) why = offPage(rects) ? "off-page" : outsideView(rects) ? "off-viewport" : "clipped";
    if (why) { piece.why = why; piece.text = whole; piece.box = rects.reduce(join, null); }
    else {
      let text = whole;
      const ell = ctx.ellipsis;
      const beyond = ell && rects.some((q) => q.r > ell.box.r + 0.5 || q.x < ell.box.x - 0.5);
      if (beyond) {
        // Text-overflow: the characters that fit before the mark, found by halving.
        const room = { x: ell.rtl ? ell.box.x + ell.mark : ell.box.x - 1, r: ell.rtl ? ell.box.r + 1 : ell.box.r - ell.mark };
        let lo = 0, hi = data.length;
        while (lo < hi) {
          const mid = (lo + hi + 1) >> 1;
          const fits = rectsBetween(node, 0, mid, ctx.at).every((q) => q.r <= room.r + 1 && q.x >= room.x - 1);
          if (fits) lo = mid; else hi = mid - 1;
        }
        text = shaped(data.slice(0, lo).replace(/\s+/g, " ").trim(), style) + "\u2026";
        piece.cut = true;
        if (!lo && rects[0] && rects[0].x > ell.box.r - ell.mark) { text = ""; }
      } else if (share < 0.97) {
        const kept = [];
        let lost = 0, words = 0;
        for (const m of data.matchAll(/[^\s\u3000]{1,24}/g)) {
          if (++words > 600) { piece.partial = true; break; }
          const parts = rectsBetween(node, m.index, m.index + m[0].length, ctx.at);
          if (shareSeen(parts, clip) >= 0.6) kept.push(m[0]); else lost++;
        }
        text = shaped(lost ? kept.join(" ") : data.replace(/\s+/g, " ").trim(), style);
        if (lost) { if (ctx.clamp) { piece.cut = true; text += "\u2026"; } else piece.partial = true; }
      }
      for (const q of rects) {
        const inside = crop(q, clip);
        if (area(inside) > 0) { piece.box = join(piece.box, inside); if (piece.lines.length < 12) piece.lines.push(inside); }
      }
      piece.icon = piece.box !== null && looksLikeIcon(whole, rects.reduce(join, null), style);
      piece.seen = text !== "" && !piece.icon;
      if (!piece.seen) piece.why = piece.icon ? "icon" : "clipped";
      piece.text = text;
    }
    push(piece);
    if (/\s$/.test(data)) gapAtLeast(" ");
  };

  // Generated text has no rectangles of its own; it is where its element is. Counters cannot be resolved here.
  const readPseudo = (el, which, ctx, boxOf) => {
    const style = getComputedStyle(el, which);
    const content = style.content;
    if (!content || content === "none" || content === "normal" || style.display === "none") return false;
    let text = "", unknown = false;
    for (const m of content.replace(/\s\/\s.*$/s, "").matchAll(/"((?:[^"\\]|\\.)*)"|attr\(\s*([-\w]+)[^)]*\)|(counters?\(|url\(|[-\w]*gradient\()/g)) {
      if (m[1] !== undefined) text += m[1].replace(/\\([0-9a-f]{1,6})\s?|\\(.)/gi, (_, hex, ch) => (hex ? String.fromCodePoint(parseInt(hex, 16) || 0xfffd) : ch));
      else if (m[2]) text += attr(el, m[2]) ?? "";
      else if (/^counter/.test(m[3])) unknown = true;
    }
    if (parseFloat(style.opacity) < 0.06) return false;
    const box = boxOf();
    const why = unseen(style, ctx);
    if (unknown) { push({ text: "", box, seen: false, why: "counter", cut: false, partial: false, icon: false, lines: [] }); return true; }
    if (!/\S/.test(text)) { if (text) gapAtLeast(" "); return false; }
    const inline = /^inline/.test(style.display);
    if (!inline) gapAtLeast("\n");
    else if (/^\s/.test(text)) gapAtLeast(" ");
    const icon = /^[\p{Co}\s]+$/u.test(text) || /icon|awesome|glyph|symbol/i.test(style.fontFamily);
    const seen = !why && !icon && box && area(crop(box, crop(ctx.clip, VIEW))) > 0;
    push({ text: shaped(text.trim(), style), box: seen ? crop(box, crop(ctx.clip, VIEW)) : null, seen: !!seen,
      why: seen ? "" : icon ? "icon" : why || "clipped", cut: false, partial: false, icon, lines: [], at: ctx.at });
    if (!inline) gapAtLeast("\n");
    else if (/\s$/.test(text)) gapAtLeast(" ");
    return true;
  };

  const NAMED = "[aria-label],[aria-labelledby],[title]";
  const KEPT = new Set(["id", "class", "role", "aria-label", "aria-labelledby", "aria-hidden", "aria-roledescription", "title", "alt", "type", "name",
    "value", "checked", "open", "placeholder", "multiple", "size", "contenteditable", "lang", "dir", "scope", "for", "tabindex", "itemprop", "datetime"]);
  const CONTROLS = new Set(["input", "textarea", "select", "details", "dialog"]);
  const NO_CHILDREN = new Set(["iframe", "frame", "embed", "canvas", "video", "audio", "img", "textarea", "input", "option", "meter", "progress", "br", "hr"]);
  const TYPED = new Set(["text", "search", "email", "url", "tel", "number", "date", "time", "month", "week", "datetime-local", "range", "color"]);
  const PRESSED = new Set(["submit", "button", "reset"]);
  const FOCUSABLE = "a[href],button,input,select,textarea,summary,[tabindex],[role=button],[role=link],[role=menuitem],[role=tab],[role=checkbox],[role=switch]";

  const optionText = (option) => (option ? (attr(option, "label") ?? option.textContent).replace(/\s+/g, " ").trim() : "");
  // What the serialised document says of a control's state, and what it is now. Null where the document says nothing.
  const stateOf = (el, tag) => {
    if (tag === "input") {
      const type = HTMLInputElement.prototype.__lookupGetter__("type").call(el);
      const live = HTMLInputElement.prototype.__lookupGetter__("value").call(el);
      if (type === "checkbox" || type === "radio") {
        const now = HTMLInputElement.prototype.__lookupGetter__("checked").call(el);
        return { what: "checked", type, served: hasAttr(el, "checked"), live: now };
      }
      if (type === "password") return { what: "value", type, served: null, live: MASKED.repeat(Math.min(live.length, 64)), secret: true };
      return { what: "value", type, served: attr(el, "value"), live };
    }
    if (tag === "textarea") return { what: "value", type: "textarea", served: el.textContent.replace(/^\n/, ""),
      live: HTMLTextAreaElement.prototype.__lookupGetter__("value").call(el) };
    if (tag === "select") {
      const options = Array.from(HTMLSelectElement.prototype.__lookupGetter__("options").call(el));
      const multiple = hasAttr(el, "multiple");
      const chosen = options.filter((o) => o.selected), marked = options.filter((o) => hasAttr(o, "selected"));
      const plain = multiple || +attr(el, "size") > 1 ? [] : options.filter((o) => !o.disabled).slice(0, 1);
      const served = marked.length ? (multiple ? marked : marked.slice(-1)) : plain;
      return { what: "selected", type: multiple ? "multiple" : "one", served: served.map(optionText).join(", "), live: chosen.map(optionText).join(", ") };
    }
    return { what: "open", type: tag, served: hasAttr(el, "open"), live: hasAttr(el, "open") };
  };
  const readControl = (el, tag, state, style, ctx) => {
    let text = "", hint = false;
    if (tag === "input") {
      if (TYPED.has(state.type) && state.type !== "range" && state.type !== "color") text = state.live;
      else if (PRESSED.has(state.type)) text = attr(el, "value") ?? { submit: "Submit", reset: "Reset" }[state.type] ?? "";
      else if (state.secret) text = state.live;
    } else if (tag === "textarea") text = state.live;
    else if (tag === "select") text = state.live;
    if (!text && (tag === "textarea" || (tag === "input" && (TYPED.has(state.type) || state.secret)))) { text = attr(el, "placeholder") ?? ""; hint = !!text; }
    if (!/\S/.test(text)) return hint;
    const box = quad(boundsOf(el), ctx.at), clip = crop(box, crop(ctx.clip, VIEW));
    let why = area(box) === 0 ? "zero-size" : unseen(style, ctx);
    if (!why && area(clip) === 0) why = area(crop(box, VIEW)) === 0 ? "off-viewport" : "clipped";
    // A select's arrow takes about a letter's height beside its text.
    const tight = tag === "select" && widthOf(text, style) > clientWidth(el) - parseFloat(style.paddingLeft || 0) - parseFloat(style.fontSize);
    const cut = !why && (tight || tag !== "select") && (tight || scrollWidth(el) > clientWidth(el) + 1 || (tag === "textarea" && scrollHeight(el) > clientHeight(el) + 1));
    gapAtLeast(" ");
    push({ text: shaped(text, style), box: why ? box : clip, seen: !why, why, cut: false, partial: cut || (!why && area(clip) < 0.9 * area(box)),
      icon: false, lines: why ? [] : [clip], hint, at: ctx.at });
    gapAtLeast(" ");
    return hint;
  };

  // A list box draws each option's text in a box of the browser's own; the option's box is where it is.
  const readOption = (el, style, ctx) => {
    const text = optionText(el), box = quad(boundsOf(el), ctx.at), clip = crop(box, crop(ctx.clip, VIEW));
    if (!/\S/.test(text)) return;
    const why = area(box) === 0 ? "zero-size" : unseen(style, ctx) || (area(clip) < 0.6 * area(box) ? (outsideView([box]) ? "off-viewport" : "clipped") : "");
    gapAtLeast("\n");
    push({ text: shaped(text, style), box: why ? box : clip, seen: !why, why, cut: false, partial: false, icon: false, lines: why ? [] : [clip], at: ctx.at });
    gapAtLeast("\n");
  };

  const ruler = new OffscreenCanvas(1, 1).getContext("2d");
  // How wide a text is in an element's font, CSS px.
  const widthOf = (text, style) => {
    ruler.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    return ruler.measureText(text).width;
  };

  const clipPath = (style, box) => {
    const inset = /^inset\((.*?)(?: round .*)?\)$/.exec(style.clipPath);
    if (inset) {
      const w = box.r - box.x, h = box.b - box.y;
      const v = inset[1].split(/\s+/), px = (s, whole) => (s.endsWith("%") ? (parseFloat(s) / 100) * whole : parseFloat(s));
      const [t, r, b, l] = [v[0], v[1] ?? v[0], v[2] ?? v[0], v[3] ?? v[1] ?? v[0]];
      return { x: box.x + px(l, w), y: box.y + px(t, h), r: box.r - px(r, w), b: box.b - px(b, h) };
    }
    if (/^(circle|ellipse)\(0(px|%)?[ )]/.test(style.clipPath)) return { x: box.x, y: box.y, r: box.x, b: box.y };
    if (/^polygon\((?:0(?:px|%)? 0(?:px|%)?(?:, )?)+\)$/.test(style.clipPath)) return { x: box.x, y: box.y, r: box.x, b: box.y };
    const rect = /^rect\(([-\d.]+)px,? ([-\d.]+)px,? ([-\d.]+)px,? ([-\d.]+)px\)$/.exec(style.clip);
    if (rect && /absolute|fixed/.test(style.position)) return { x: box.x + +rect[4], y: box.y + +rect[1], r: box.x + +rect[2], b: box.y + +rect[3] };
    return null;
  };
  // Whether an element is the containing block of fixed descendants; asked only where there is one.
  const holdsFixed = (el, style) => style.transform !== "none" || style.filter !== "none" || style.perspective !== "none"
    || /paint|strict|content/.test(style.contain) || /transform|filter/.test(style.willChange) || (style.backdropFilter ?? "none") !== "none";
  // The clip that holds for a placed element: that of its containing block, not of its parent.
  const placedClip = (position, ctx) => {
    for (let up = ctx; up.el; up = up.parent) {
      if (position === "absolute" && up.position !== "static") return up.clip;
      if (holdsFixed(up.el, up.style)) return up.clip;
    }
    return ctx.outermost;
  };
  // What holds inside an element: where it is clipped, how faint it is, what it is painted on. One object an element, so
  // properties are asked for only where they can matter: style look-ups are most of what a reading costs.
  const contextFor = (el, tag, style, display, parent) => {
    const position = style.position;
    const ctx = { ...parent, parent, el, style, position, unseen: undefined };
    if (tag === "dialog" ? matches(el, ":modal") : hasAttr(el, "popover") && matches(el, ":popover-open"))
      Object.assign(ctx, { clip: parent.outermost, carve: EVERYWHERE, opacity: 1, ground: null });
    else if (position === "fixed" || position === "absolute") ctx.clip = crop(placedClip(position, parent), ctx.carve);
    const opacity = style.opacity;
    if (opacity !== "1") ctx.opacity *= parseFloat(opacity);
    const inline = display === "inline" || display === "contents";
    if (style.backgroundImage !== "none") { ctx.ground = null; ctx.textClip = style.webkitBackgroundClip === "text"; }
    else {
      const ground = colour(style.backgroundColor);
      if (ground === null || (ground.a > 0 && ground.a < 1)) ctx.ground = null;
      else if (ground.a === 1) ctx.ground = ground;
    }
    if (inline) return ctx;
    const faded = /opacity\(([\d.]+)(%?)\)/.exec(style.filter);
    if (faded) ctx.opacity *= +faded[1] / (faded[2] ? 100 : 1);
    const overX = style.overflowX, overY = style.overflowY;
    const clips = (overX !== "visible" || overY !== "visible") && tag !== "html" && tag !== "body";
    const carved = style.clipPath !== "none" || (position !== "static" && style.clip !== "auto");
    const contained = style.contain !== "none" && /paint|strict|content/.test(style.contain);
    const border = clips || carved || contained ? quad(boundsOf(el), ctx.at) : null;
    if (clips || contained) {
      const left = border.x + clientLeft(el), top = border.y + clientTop(el);
      const openX = overX === "visible" && !contained, openY = overY === "visible" && !contained;
      ctx.clip = crop(ctx.clip, { x: openX ? -1e9 : left, y: openY ? -1e9 : top,
        r: openX ? 1e9 : left + clientWidth(el), b: openY ? 1e9 : top + clientHeight(el) });
    }
    const cut = carved ? clipPath(style, border) : null;
    // A clip-path cuts everything inside, wherever it is placed.
    if (cut) { ctx.carve = crop(ctx.carve, cut); ctx.clip = crop(ctx.clip, cut); }
    ctx.ellipsis = null;
    if (clips && style.textOverflow !== "clip" && style.textOverflow !== "" && scrollWidth(el) > clientWidth(el)) {
      const left = border.x + clientLeft(el) + parseFloat(style.paddingLeft || 0);
      const right = border.x + clientLeft(el) + clientWidth(el) - parseFloat(style.paddingRight || 0);
      ctx.ellipsis = { box: { x: left, r: right, y: -1e9, b: 1e9 }, mark: widthOf("\u2026", style), rtl: style.direction === "rtl" };
    }
    const lines = clips ? style.webkitLineClamp : "none";
    ctx.clamp = (lines && lines !== "none" && scrollHeight(el) > clientHeight(el) + 1) || (ctx.clamp && display !== "block");
    ctx.blankMatters = !/flex|grid|table$|table-row|table-(header|footer|row)-group/.test(display);
    return ctx;
  };

  // A control's own clipping is that of its inner editor; whether the control is seen is up to what is around it.
  const outerClip = (inner) => (/fixed|absolute/.test(inner.position) ? placedClip(inner.position, inner.parent) : inner.parent.clip);

  // Elements that could hold a closed shadow root: reported, so that the caller can fetch the root and read again.
  const suspect = (el, tag) => tag.includes("-") && !shadowOf(el) && !closed.has(el);

  const segment = (tag, index) => (tag === "html" || tag === "body" || tag === "head" ? tag : `${tag}:nth-child(${index})`);
  let level = 0, focusables = 0;

  const visit = (el, path, ctx, parentIndex, frame) => {
    if (++level > 1500) { out.truncated++; level--; return; }
    try { visitInside(el, path, ctx, parentIndex, frame); } finally { level--; }
  };
  const children = (el, shadow, tag, frame) => {
    if (shadow) return { nodes: childNodes(shadow), join: " >>> " };
    if (tag === "slot") {
      const given = assigned(el);
      if (given.length) return { nodes: given, join: null };
    }
    return { nodes: childNodes(el), join: " > " };
  };
  const pathOf = (el) => {
    const node = localName(el), parent = parentNode(el);
    let index = 1;
    for (let s = previousElement(el); s; s = previousElement(s)) index++;
    const own = segment(node, index);
    if (!parent) return own;
    if (nodeType(parent) === 11 && parent.host) return `${pathOf(parent.host)} >>> ${own}`;
    return nodeType(parent) === 1 ? `${pathOf(parent)} > ${own}` : own;
  };

  const ownTextIn = (nodes) => {
    for (const n of nodes) {
      if (nodeType(n) === 3 && /\S/.test(textData(n))) return true;
      if (nodeType(n) === 1 && localName(n) === "slot" && !assigned(n).length && ownTextIn(childNodes(n))) return true;
    }
    return false;
  };
  const takesText = (shadow) => within(shadow, "slot:not([name])").length > 0;
  const hiddenText = (el) => {
    for (const n of childNodes(el)) if (nodeType(n) === 3 && /\S/.test(textData(n))) return true;
    return false;
  };
  let hiddenLooked = 0;
  const UNTOLD = new Set(["script", "style", "template", "noscript", "head", "title", "link", "meta", "desc", "option", "optgroup"]);
  const notRendered = (top, parentIndex, frame) => {
    // What is not drawn is looked at too, and said to be hidden: elements that carry a name, a state or a text.
    const all = matches(top, "*") && !UNTOLD.has(localName(top)) ? [top, ...Element.prototype.querySelectorAll.call(top, "*")] : [];
    for (const el of all) {
      const tag = localName(el), text = !UNTOLD.has(tag) && hiddenText(el), control = CONTROLS.has(tag);
      if (UNTOLD.has(tag) || !(text || control || matches(el, NAMED))) continue;
      if (++hiddenLooked > options.maxHidden) { out.hiddenMore = (out.hiddenMore ?? 0) + 1; continue; }
      const at = emit(el, tag, pathOf(el), parentIndex, frame, { start: 0, end: 0, why: "not-rendered", box: null });
      if (at >= 0 && control) out.elements[at].l = told(stateOf(el, tag));
      if (at >= 0 && text) out.elements[at].g = { own: 1 };
    }
  };

  const LIGHT = options.light === true;
  // Only the reading at S0 looks at what is hidden or far from the viewport: whatever it is, no picture shows it.
  const FAR = options.html === true;
  const emit = (el, tag, path, parentIndex, frame, facts) => {
    if (out.elements.length >= options.maxElements) { out.truncated++; return -1; }
    const e = { k: keyOf(el), p: parentIndex, f: frame };
    if (!LIGHT) {
      e.t = tag;
      e.s = path;
      const a = {};
      for (const name of attrNames(el)) if (KEPT.has(name)) { const v = attr(el, name); a[name] = well(v.length > 2000 ? v.slice(0, 2000) : v); }
      if (tag === "a" && hasAttr(el, "href")) a.href = "";
      e.a = a;
    }
    out.elements.push(e);
    if (FAR) memory.known.add(e.k);
    const index = out.elements.length - 1;
    if (facts) Object.assign(e, { v: facts.why, x: "", b: facts.box });
    return index;
  };

  const MARGIN = 100;   // CSS px: what lines and shadows may reach beyond their block
  // Whether a block, with all that overflows it, is away from the viewport. What is placed inside it may
  // still be on the screen: readFar goes on looking for that.
  const isFar = (el, tag, ctx) => {
    if (ctx.far === false || tag === "html" || tag === "body" || ctx.at !== ORIGIN) return false;
    const r = boundsOf(el);
    if (r.width === 0 || r.height === 0) return false;
    const reach = Math.max(r.height, scrollHeight(el));
    return r.top > view.height + MARGIN || r.top + reach < -MARGIN;
  };
  const readFar = (el, tag, path, parentIndex, frame, ctx, style) => {
    const named = matches(el, NAMED), text = !NO_CHILDREN.has(tag) && hiddenText(el), control = CONTROLS.has(tag) && tag !== "dialog";
    let holder = parentIndex;
    if (FAR && (named || text || control)) {
      // Texts far away are many and say only that they are far; what carries a name or a state is worth more.
      if (++farLooked > (named || control ? options.maxFar : options.maxFarTexts)) out.farMore = (out.farMore ?? 0) + 1;
      else {
        const r = boundsOf(el);
        const why = style.visibility !== "visible" ? "hidden" : "off-viewport";
        holder = emit(el, tag, path, parentIndex, frame, { why, box: [round(r.left), round(r.top), round(r.width), round(r.height)] });
        if (holder >= 0 && control) out.elements[holder].l = told(stateOf(el, tag));
        if (holder >= 0 && text) out.elements[holder].g = { own: 1 };
        if (holder < 0) holder = parentIndex;
      }
    }
    if (tag === "iframe" || tag === "frame" || NO_CHILDREN.has(tag)) return;
    const shadow = shadowRootOf(el);
    const { nodes, join: glue } = children(el, shadow, tag, frame);
    let n = 0;
    for (const child of nodes) {
      if (nodeType(child) !== 1) continue;
      n++;
      const childTag = localName(child), childStyle = getComputedStyle(child);
      const childPath = glue === null ? pathOf(child) : path + glue + segment(childTag, n);
      const placed = childStyle.position;
      const loose = placed === "fixed" || childTag === "dialog" || hasAttr(child, "popover");
      if (loose) placedFar++;
      if (childStyle.display === "none") { if (FAR) notRendered(child, holder, frame); continue; }
      // A placed element answers to its containing block, which needs the contexts between: build them as if near.
      if (placed !== "static" || loose) {
        const r = boundsOf(child);
        if (r.bottom > 0 && r.top < view.height && r.width > 0) { placedFar++; visit(child, childPath, contextFor(el, tag, style, style.display, ctx), holder, frame); continue; }
      }
      if (++level > 1500) { out.truncated++; level--; return; }
      readFar(child, childTag, childPath, holder, frame, { ...ctx, parent: ctx, el, style, position: style.position }, childStyle);
      level--;
    }
  };
  let farLooked = 0, placedFar = 0;
  const countWithin = (el) => elementsIn(el, "*").length;

  const SHAPES = new Set(["path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "defs", "use", "stop", "clipPath", "mask", "filter",
    "linearGradient", "radialGradient", "pattern", "marker", "script", "style", "template", "noscript", "link", "meta", "head", "source", "track", "wbr"]);
  const visitInside = (el, path, ctx, parentIndex, frame) => {
    const tag = localName(el);
    if (SHAPES.has(tag) && !matches(el, NAMED)) return;
    const style = getComputedStyle(el);
    const display = style.display;
    if (display === "none") { if (FAR) notRendered(el, parentIndex, frame); return; }
    const contents = display === "contents";
    const block = !contents && !/^inline|^ruby/.test(display);
    if (block && isFar(el, tag, ctx)) {
      // What held nothing placed at S0, and as many elements as now, holds nothing placed now: not walked again.
      const within = countWithin(el);
      if (!FAR && memory.far.get(el) === within) return;
      const placedBefore = placedFar;
      readFar(el, tag, path, parentIndex, frame, ctx, style);
      if (placedFar === placedBefore) memory.far.set(el, within); else memory.far.delete(el);
      return;
    }
    const inner = contextFor(el, tag, style, display, ctx);
    const cell = display === "table-cell", atom = /^inline-(block|flex|grid|table)$/.test(display);
    if (block) gapAtLeast("\n");
    else if (atom) gapAtLeast(" ");
    const start = pieces.length;
    const controls = CONTROLS.has(tag);
    const named = matches(el, NAMED);
    const state = controls ? stateOf(el, tag) : null;
    const skipInside = style.contentVisibility === "hidden" && tag !== "html";

    // The element is emitted before its children so that they can point at it; what the children bring is filled in after.
    const index = out.elements.length;
    let mine = named || (!FAR && memory.known.has(memory.keys.get(el))) || (controls && tag !== "dialog") || (tag === "dialog" && hasAttr(el, "open"));
    const slot = mine ? emit(el, tag, path, parentIndex, frame, null) : -1;
    let holder = slot >= 0 ? slot : parentIndex;

    let ownText = false, hint = false;
    const focusBefore = (focusables += matches(el, FOCUSABLE) ? 1 : 0);
    let nodes = null, glue = null;
    const shadow = shadowRootOf(el);
    if (!NO_CHILDREN.has(tag) && !skipInside && !(tag === "select" && !hasAttr(el, "multiple") && !(+attr(el, "size") > 1))) {
      ({ nodes, join: glue } = children(el, shadow, tag, frame));
      // Text given to a slot is its host's own; a slot's default text is that of the element around the slot.
      ownText = tag !== "slot" && (ownTextIn(nodes) || (shadow !== null && hiddenText(el) && takesText(shadow)));
    }
    let bounds = null;
    const box = () => (bounds ??= quad(boundsOf(el), inner.at));
    owner = el;
    const generated = !noPseudo(tag) && readPseudo(el, "::before", inner, box);
    let target = slot;
    if (!mine && (ownText || generated || tag === "option")) { target = emit(el, tag, path, parentIndex, frame, null); holder = target >= 0 ? target : holder; mine = true; }
    owner = el;
    if (tag === "option") readOption(el, style, inner);
    const listBox = tag === "select" && nodes !== null;
    if (controls && !listBox) hint = readControl(el, tag, state, style, { ...inner, clip: outerClip(inner) });
    if (tag === "iframe" || tag === "frame" || tag === "embed" || (tag === "object" && hasAttr(el, "data"))) readFrame(el, path, inner, holder, frame, box());
    if (nodes) {
      if (suspect(el, tag) && !out.closedHosts.includes(el)) out.closedHosts.push(el);
      const closedDetails = tag === "details" && !hasAttr(el, "open");
      let n = 0, summary = false;
      for (const child of nodes) {
        const type = nodeType(child);
        if (type === 3) { if (!closedDetails) { owner = el; readText(child, style, inner); } continue; }
        if (type !== 1) continue;
        n++;
        const childTag = localName(child);
        if (closedDetails && (summary || childTag !== "summary")) { if (FAR) notRendered(child, holder, frame); continue; }
        if (closedDetails) summary = true;
        const childPath = glue === null ? pathOf(child) : path + glue + segment(childTag, n);
        visit(child, childPath, inner, holder, frame);
      }
    }
    if (skipInside && FAR) for (const child of childNodes(el)) if (nodeType(child) === 1) notRendered(child, holder, frame);
    owner = el;
    const after = !noPseudo(tag) && readPseudo(el, "::after", inner, box);
    const end = pieces.length;
    if (tag === "br") gapAtLeast("\n");
    if (cell) gapAtLeast(" ");
    if (block) gapAtLeast("\n");
    else if (atom) gapAtLeast(" ");

    // A short line made of several pieces (a number whose digits have elements of their own) is an element to look at as well.
    if (target < 0 && tag !== "html" && tag !== "body" && tag !== "iframe" && tag !== "frame" && (after || (end - start > 1 && end - start <= 40 && isLine(start, end)))) {
      target = emitAt(index, el, tag, path, parentIndex, frame);
      mine = target >= 0;
    }
    if (target >= 0) fill(out.elements[target], el, tag, { start, end, style, inner, box: contents || (box().r === box().x && box().b === box().y) ? null : box(), state, hint, ownText: ownText || generated || after || tag === "option", named, focusable: focusables - focusBefore, skipInside, frame });
  };
  const SVG_TAGS = new Set(["svg", "g", "text", "tspan", "textPath", "symbol"]);
  const noPseudo = (tag) => tag === "html" || tag === "body" || NO_CHILDREN.has(tag) || SVG_TAGS.has(tag);
  const isLine = (start, end) => {
    let length = 0;
    for (let i = start; i < end; i++) {
      if (i > start && pieces[i].before === "\n") return false;
      length += pieces[i].text.length;
    }
    return length <= 80;
  };
  // Puts an element before those already emitted from inside it, so that parents always stand before children.
  const emitAt = (index, el, tag, path, parentIndex, frame) => {
    const at = emit(el, tag, path, parentIndex, frame, null);
    if (at < 0 || at === index) return at;
    const [e] = out.elements.splice(at, 1);
    out.elements.splice(index, 0, e);
    for (let i = index + 1; i < out.elements.length; i++) {
      const x = out.elements[i];
      if (x.p === parentIndex && x.p < index) x.p = index;
      else if (x.p >= index) x.p++;
    }
    return index;
  };

  const OPAQUE = 0.85;   // of a colour: what is under it cannot be read
  const documentOf = getter(Node.prototype, "ownerDocument");
  // One element holds the other, through shadow roots.
  const holds = (outer, el) => { for (let n = el; n; n = parentNode(n) ?? n.host ?? null) if (n === outer) return true; return false; };
  const opaqueAt = (el, x, y) => {
    const tag = localName(el);
    if (tag === "dialog" && matches(el, ":modal")) {
      // Beside its box a modal dialog is hit for its backdrop, which is mostly see-through.
      const r = boundsOf(el);
      if (x < r.left || x > r.right || y < r.top || y > r.bottom) {
        const back = getComputedStyle(el, "::backdrop"), tint = colour(back.backgroundColor);
        return back.backgroundImage !== "none" || tint === null || tint.a > OPAQUE;
      }
    }
    if (/^(img|video|canvas|iframe|embed|object|svg)$/.test(tag)) return true;
    const style = getComputedStyle(el);
    const ground = colour(style.backgroundColor);
    if (parseFloat(style.opacity) < 0.5) return false;
    return (ground === null || ground.a > OPAQUE) || style.backgroundImage !== "none" || (style.backdropFilter ?? "none") !== "none";
  };
  // Whether something opaque of the document around it lies over a frame, at a point of the text inside.
  const overFrame = (f, q, fx) => {
    const x = (q.x + (q.r - q.x) * fx - f.at.x) / f.at.s, y = ((q.y + q.b) / 2 - f.at.y) / f.at.s;
    for (const hit of pointStack(documentOf(f.el), (q.x + (q.r - q.x) * fx - f.at.x) / f.at.s, ((q.y + q.b) / 2 - f.at.y) / f.at.s)) {
      if (holds(hit, f.el)) return false;
      if (opaqueAt(hit, x, y)) return true;
    }
    return false;
  };
  // Whether something opaque lies over a piece of text: most of its points hit another element first.
  const covered = (piece) => {
    if (piece.covered !== undefined) return piece.covered;
    const el = piece.owner, doc = documentOf(el), at = piece.at;
    let points = 0, over = 0;
    for (const q of piece.lines.length ? piece.lines : [piece.box]) {
      for (const fx of [0.1, 0.5, 0.9]) {
        const x = (q.x + (q.r - q.x) * fx - at.x) / at.s, y = ((q.y + q.b) / 2 - at.y) / at.s;
        points++;
        let stack = pointStack(doc, x, y), hidden = piece.frames.some((f) => overFrame(f, q, fx));
        for (let depth = 0; depth < 12 && !hidden; depth++) {
          let next = null;
          for (const hit of stack) {
            if (hit === el) break;
            if (holds(hit, el)) { const shadow = shadowRootOf(hit); if (shadow) next = shadowPointStack(shadow, x, y); break; }
            if (opaqueAt(hit, x, y)) { hidden = true; break; }
          }
          // Inside a shadow root the stack repeats what is outside; once it names nothing new there is nothing deeper.
          if (hidden || !next || next.length === stack.length) break;
          stack = next;
        }
        if (hidden) over++;
      }
    }
    return (piece.covered = points > 0 && over / points >= 0.5);
  };

  // Two pieces side by side with room between them read as two words, whatever makes the room. Digits are left together:
  // those of one number may stand apart in elements of their own.
  const apart = (a, b, text) => {
    const p = a && a.lines[a.lines.length - 1], q = b.lines[0];
    if (!p || !q || Math.min(p.b, q.b) - Math.max(p.y, q.y) < 0.4 * (q.b - q.y)) return "";
    if (/\p{N}$/u.test(text) && /^\p{N}/u.test(b.text)) return "";
    return q.x - p.r > 0.2 * Math.min(p.b - p.y, q.b - q.y) || p.x - q.r > 0.2 * Math.min(p.b - p.y, q.b - q.y) ? " " : "";
  };

  // What stands between two pieces: boxes that are set side by side, as an odometer's digits are, make no new line.
  const between = (a, b, text) => {
    const p = a && a.lines[a.lines.length - 1], q = b.lines[0];
    const digits = /\p{N}$/u.test(text) && /^\p{N}$/u.test(b.text);
    const beside = p && q && Math.min(p.b, q.b) - Math.max(p.y, q.y) > 0.6 * Math.min(p.b - p.y, q.b - q.y) && q.x >= p.r - 1;
    if (b.before === "\n" && digits && beside && q.x - p.r < 0.35 * (q.b - q.y)) return "";
    return b.before || apart(a, b, text);
  };
  // The pieces of an element in the order in which they are seen: a reversed or reordered row reads as it is laid out.
  const inSight = (f) => {
    const own = pieces.slice(f.start, f.end);
    if (own.length < 2 || own.length > 40 || f.style.direction === "rtl") return own;
    const same = (a, b) => Math.min(a.b, b.b) - Math.max(a.y, b.y) > 0.6 * Math.min(a.b - a.y, b.b - b.y);
    const seen = own.filter((p) => p.seen && p.box && p.frame === f.frame && p.lines.length === 1 && !RTL.test(p.text));
    let moved = false;
    for (let i = 1; i < seen.length && !moved; i++) {
      const a = seen[i - 1].box, b = seen[i].box;
      moved = same(a, b) ? b.r <= a.x + 1 : b.b <= a.y + 1 && b.r > a.x && b.x < a.r;
    }
    if (!moved) return own;
    const placed = [...seen].sort((p, q) => (same(p.box, q.box) ? p.box.x - q.box.x : p.box.y - q.box.y));
    return own.map((p) => (seen.includes(p) ? placed[seen.indexOf(p)] : p));
  };
  const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

  const fill = (e, el, tag, f) => {
    let last = null;
    let text = "", seenBox = null, why = "", seen = 0, cut = false, partial = false, icons = 0, unknown = false, line = true, hidden = 0;
    for (const p of inSight(f)) {
      if (p.frame !== f.frame) continue;
      if (p !== pieces[f.start] && p.before === "\n") line = false;
      if (p.icon) icons++;
      if (p.why === "counter") unknown = true;
      if (!p.seen) { if (p.why !== "icon") { hidden++; why ||= p.why; } continue; }
      if (text.length < options.maxText) text += (text ? between(last, p, text) : "") + p.text;
      last = p;
      seen++;
      cut ||= p.cut; partial ||= p.partial;
      if (p.box) seenBox = join(seenBox, p.box);
      
    }
    // Words below the fold: what is seen is not the whole value.
    if (seen && hidden) for (let i = f.start; i < f.end; i++) if (pieces[i].why === "off-viewport" && pieces[i].frame === f.frame) partial = true;
    const box = f.box && !(seenBox && area(crop(f.box, VIEW)) === 0) ? f.box : seenBox;
    e.x = well(text.length > options.maxText ? text.slice(0, options.maxText) : text);
    e.b = box ? [round(box.x), round(box.y), round(box.r - box.x), round(box.b - box.y)] : null;
    if (seenBox) e.tb = [round(seenBox.x), round(seenBox.y), round(seenBox.r - seenBox.x), round(seenBox.b - seenBox.y)];
    if (seen) e.v = "";
    else if (f.skipInside) e.v = "not-rendered";
    else if (hidden) e.v = why;
    else {
      // No text at all: is the element itself to be seen (a checkbox, an icon)?
      const w = !box || area(box) === 0 ? "zero-size" : f.style.visibility !== "visible" ? "hidden" : f.inner.opacity < 0.06 ? "transparent"
        : area(crop(box, VIEW)) === 0 ? "off-viewport" : area(crop(box, crop(f.inner.clip, VIEW))) < 0.3 * area(crop(box, VIEW)) && area(crop(f.inner.clip, VIEW)) < area(crop(box, VIEW)) ? "clipped" : "";
      e.v = w;
    }
    if (f.state) e.l = told(f.state);
    if (!LIGHT) {
      const flags = {};
      if (cut) flags.cut = 1;
      if (partial) flags.partial = 1;
      if (icons) flags.icons = icons;
      if (unknown) flags.unknown = 1;
      if (f.hint) flags.hint = 1;
      if (f.ownText) flags.own = 1;
      if (line) flags.line = 1;
      if (f.focusable) flags.focusable = f.focusable;
      if (text.length > options.maxText) flags.long = 1;
      if (Object.keys(flags).length) e.g = flags;
    } else if (partial) e.g = { partial: 1 };
    if (options.html) { if (e.v === "") memory.served.set(e.k, e.x); }
    else if (options.hit && e.v === "" && (f.named || memory.served.get(e.k) !== e.x || (f.state && f.state.served !== f.state.live))) {
      let all = 0, over = 0;
      for (let i = f.start; i < f.end; i++) if (pieces[i].seen && pieces[i].frame === f.frame) { all++; if (covered(pieces[i])) over++; }
      if (!all && box) { all = 1; if (covered({ owner: el, box: crop(box, VIEW), lines: [], at: f.inner.at, frames: frameStack })) over = 1; }
      if (over) e.cov = round(over / all);
    }
  };

  const readFrame = (el, path, ctx, parentIndex, frame, box) => {
    let doc = null;
    try { doc = localName(el) === "iframe" ? frameDocument(el) : el.contentDocument ?? null; } catch { doc = null; }
    const inside = doc && rootElement(doc);
    const src = attr(el, "src") ?? attr(el, "data") ?? "";
    if (!inside) { out.frames.push({ url: src, read: false, reason: "other process" }); return; }
    // A rotated or skewed frame has no boxes that are rectangles on the screen.
    const width = offsetWidth(el), height = offsetHeight(el);
    if (width > 0 && height > 0 && Math.abs((box.r - box.x) / width - (box.b - box.y) / height) > 0.02) {
      out.frames.push({ url: doc.URL, read: false, reason: "rotated or skewed" });
      return;
    }
    const number = out.frames.length + 1;
    out.frames.push({ url: doc.URL, read: true, reason: "" });
    const style = getComputedStyle(el);
    const s = width > 0 ? (box.r - box.x) / width : ctx.at.s;
    const at = { x: box.x + (clientLeft(el) + parseFloat(style.paddingLeft || 0)) * s, y: box.y + (clientTop(el) + parseFloat(style.paddingTop || 0)) * s, s };
    const clip = crop(crop(ctx.clip, VIEW), { x: at.x, y: at.y, r: at.x + clientWidth(el) * s, b: at.y + clientHeight(el) * s });
    gapAtLeast("\n");
    const outside = frameNow;
    frameNow = number;
    const around = frameStack;
    frameStack = [...frameStack, { el, at: ctx.at }];
    visit(inside, `${path} >>> html`, { ...ctx, at, clip, carve: clip, outermost: clip, parent: null, el: null, ellipsis: null, clamp: false, ground: null, textClip: false, blankMatters: true }, parentIndex, number);
    // A frame's text is its own: neither the frame element nor what is around it says it.
    frameNow = outside;
    frameStack = around;
    gapAtLeast("\n");
  };

  if (options.html) { memory.served.clear(); memory.known.clear(); }
  if (root) visit(root, localName(root), { at: ORIGIN, clip: EVERYWHERE, carve: EVERYWHERE, outermost: EVERYWHERE, parent: null, el: null, opacity: 1,
    ground: { r: 255, g: 255, b: 255, a: 1 }, textClip: false, ellipsis: null, clamp: false, blankMatters: true }, -1, 0);

  if (options.html) {
    const serialize = (node) => {
      const roots = [];
      const collect = (hosts) => { for (const host of hosts) { const s = shadowOf(host); if (s) { roots.push(s); collect(within(s, "*")); } } };
      collect(byTag(document, "*"));
      if (!roots.length || !("getHTML" in Element.prototype)) return node.outerHTML;
      // Open shadow roots are part of what an agent can read; plain outerHTML leaves them out.
      const shell = node.cloneNode(false).outerHTML, end = shell.lastIndexOf("</");
      return shell.slice(0, end) + node.getHTML({ shadowRoots: roots }) + shell.slice(end);
    };
    const type = getter(Document.prototype, "doctype")(document);
    const html = root ? serialize(root) : "";
    if (html.length > options.maxHtml) { out.tooLarge = `${html.length} characters of HTML`; out.elements = []; return JSON.stringify(out); }
    out.html = well((type ? new XMLSerializer().serializeToString(type) + "\n" : "") + html);
  }
  // Hosts are nodes: they leave by handle, not by value. The caller asks for them only where the count says so.
  memory.hosts = out.closedHosts;
  out.closedHosts = out.closedHosts.length;
  out.took = performance.now() - started;
  return JSON.stringify(out);
}
