/* Elements as they are reported. */
  const segment = (tag, index) => (tag === "html" || tag === "body" || tag === "head" ? tag : `${tag}:nth-child(${index})`);
  const pathOf = (el) => {
    const node = localName(el), parent = parentNode(el);
    let index = 1;
    for (let s = previousElement(el); s; s = previousElement(s)) index++;
    const own = segment(node, index);
    if (!parent) return own;
    if (nodeType(parent) === 11 && parent.host) return `${pathOf(parent.host)} >>> ${own}`;
    return nodeType(parent) === 1 ? `${pathOf(parent)} > ${own}` : own;
  };
  // The text that aria-labelledby's elements hold, roughly: enough to tell whether it moved. The name itself is the browser's to tell.
  const labelHeld = (el, ids) => {
    const scope = rootOf(el), texts = [];
    if (nodeType(scope) === 1) return "";
    for (const id of ids.split(/\s+/).filter(Boolean).slice(0, 20)) {
      const other = byId(scope, id);
      if (!other) continue;
      texts.push(/\S/.test(textContent(other)) ? textContent(other) : heldText(other) || attr(other, "aria-label") || attr(other, "alt") || "");
    }
    return well(texts.join(" ").replace(/\s+/g, " ").trim().slice(0, 500));
  };
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
      if (a["aria-labelledby"]) e.lb = labelHeld(el, a["aria-labelledby"]);
    }
    out.elements.push(e);
    if (FAR) served.known.add(e.k);
    if (FAR || options.hit) memory.nodes.set(e.k, el);
    const index = out.elements.length - 1;
    if (facts) Object.assign(e, { v: facts.why, x: "", b: facts.box });
    return index;
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
