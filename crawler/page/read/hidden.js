/* What no picture shows: not drawn, or far from the viewport. Only S0 reports it. */
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
        if (r.bottom > 0 && r.top < view.height && r.width > 0) { placedFar++; visit(child, childPath, contextFor(el, tag, style, style.display, style.contentVisibility, ctx), holder, frame); continue; }
      }
      if (++level > 1500) { out.truncated++; level--; return; }
      readFar(child, childTag, childPath, holder, frame, { ...ctx, parent: ctx, el, style, position: style.position, place: null, order: ++orders, top: false }, childStyle);
      level--;
    }
  };
  let farLooked = 0, placedFar = 0;
  const countWithin = (el) => elementsIn(el, "*").length;
