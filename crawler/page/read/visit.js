/* The walk of the rendered tree. */
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
  const ownTextIn = (nodes) => {
    for (const n of nodes) {
      if (nodeType(n) === 3 && /\S/.test(textData(n))) return true;
      if (nodeType(n) === 1 && localName(n) === "slot" && !assigned(n).length && ownTextIn(childNodes(n))) return true;
    }
    return false;
  };
  const takesText = (shadow) => within(shadow, "slot:not([name])").length > 0;
  const SHAPES = new Set(["path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "defs", "use", "stop", "clipPath", "mask", "filter",
    "linearGradient", "radialGradient", "pattern", "marker", "script", "style", "template", "noscript", "link", "meta", "head", "source", "track", "wbr"]);
  const visitInside = (el, path, ctx, parentIndex, frame) => {
    const tag = localName(el);
    if (SHAPES.has(tag) && !matches(el, NAMED)) return;
    const style = getComputedStyle(el);
    const display = style.display;
    if (display === "none") { if (FAR) notRendered(el, parentIndex, frame); return; }
    if (display === "") { if (FAR) { suspect(hostAround(el), 1); notRendered(el, parentIndex, frame); } return; }
    const contents = display === "contents";
    const block = !contents && !/^inline|^ruby/.test(display);
    if (block && isFar(el, tag, ctx)) {
      // What held nothing placed at S0, and as many elements as now, holds nothing placed now: not walked again.
      const within = countWithin(el);
      if (!FAR && served.far.get(el) === within) return;
      const placedBefore = placedFar;
      readFar(el, tag, path, parentIndex, frame, ctx, style);
      if (placedFar === placedBefore) served.far.set(el, within); else served.far.delete(el);
      return;
    }
    const skipping = display === "inline" || contents || tag === "html" ? "visible" : style.contentVisibility;
    const inner = contextFor(el, tag, style, display, skipping, ctx);
    if (HIT && (inner.inert || style.pointerEvents === "none")) addCandidate(el, tag, inner, style, frame);
    const cell = display === "table-cell", atom = /^inline-(block|flex|grid|table)$/.test(display);
    if (block) gapAtLeast("\n");
    else if (atom) gapAtLeast(" ");
    const start = pieces.length;
    const controls = CONTROLS.has(tag);
    const named = matches(el, NAMED);
    const state = controls ? stateOf(el, tag) : null;
    const skipInside = skipping === "hidden";

    // The element is emitted before its children so that they can point at it; what the children bring is filled in after.
    const index = out.elements.length;
    let mine = named || (!FAR && served.known.has(memory.keys.get(el))) || (controls && tag !== "dialog") || (tag === "dialog" && hasAttr(el, "open"));
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
    const generated = !noPseudo(tag) && readPseudo(el, "::before", inner, box, frame);
    let target = slot;
    if (!mine && (ownText || generated || tag === "option")) { target = emit(el, tag, path, parentIndex, frame, null); holder = target >= 0 ? target : holder; mine = true; }
    owner = el;
    if (tag === "option") readOption(el, style, inner);
    const listBox = tag === "select" && nodes !== null;
    if (controls && !listBox) hint = readControl(el, tag, state, style, { ...inner, clip: outerClip(inner) });
    if (tag === "iframe" || tag === "frame" || tag === "embed" || (tag === "object" && hasAttr(el, "data"))) readFrame(el, path, inner, holder, frame, box());
    if (nodes) {
      if (FAR && tag.includes("-") && !shadow) suspect(el, 0);
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
    if (FAR && !shadow && nodes && MAY_HOST.has(tag) && !generated) suspectEmpty(el, start, box());
    if (skipInside && FAR) for (const child of childNodes(el)) if (nodeType(child) === 1) notRendered(child, holder, frame);
    owner = el;
    const after = !noPseudo(tag) && readPseudo(el, "::after", inner, box, frame);
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
    if (target >= 0) fill(out.elements[target], el, tag, { start, end, style, inner, box: contents || (box().r === box().x && box().b === box().y) ? null : box(), state, hint, control: state !== null && /value|selected/.test(state.what) && !state.secret, ownText: ownText || generated || after || tag === "option", named, focusable: focusables - focusBefore, skipInside, frame });
  };
