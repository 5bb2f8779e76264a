/* CSS counters, as CSS Lists 3 counts them. Walks a whole document once, and only where a generated text asks for one. */
  const MAX_COUNTED = 20000;   // elements; beyond, counters stay unknown
  const counted = new Map();   // document -> Map of element -> { "::before": [instances], "::after": [instances] }, or null where too large
  const pairsIn = (css) => (css === "none" || !css ? [] : Array.from(css.matchAll(/(reversed\()?([^\s()]+)\)?(?:\s+(-?\d+))?/g), (m) => ({ name: m[2], value: m[3] === undefined ? null : +m[3], reversed: !!m[1] })));
  // A counter is one object: those who inherit it see what the one before them in the tree made of it.
  const create = (set, name, value, creator, parent) => {
    const at = set.findLastIndex((c) => c.name === name);
    const kept = at >= 0 && (set[at].creator === creator || set[at].parent === parent) ? set.filter((_, i) => i !== at) : set;
    return [...kept, { name, value, creator, parent, unknown: false }];
  };
  const countAt = (set, style, el, parent, tag) => {
    const resets = pairsIn(style.counterReset), increments = pairsIn(style.counterIncrement), sets = pairsIn(style.counterSet);
    const names = (list) => list.some((p) => p.name === "list-item");
    if (tag && /^(ol|ul|menu|dir)$/.test(tag) && !names(resets)) resets.push({ name: "list-item", value: (tag === "ol" && parseInt(attr(el, "start") ?? "1", 10) || 1) - 1, reversed: tag === "ol" && hasAttr(el, "reversed") });
    if (tag && style.display === "list-item" && !names(increments)) increments.unshift({ name: "list-item", value: 1 });
    if (tag === "li" && /^-?\d+$/.test(attr(el, "value") ?? "") && !names(sets)) sets.push({ name: "list-item", value: +attr(el, "value") });
    for (const r of resets) { set = create(set, r.name, r.value ?? 0, el, parent); set[set.length - 1].unknown = r.reversed; }
    const innermost = (name) => {
      if (!set.some((c) => c.name === name)) set = create(set, name, 0, el, parent);
      return set.findLast((c) => c.name === name);
    };
    for (const i of increments) innermost(i.name).value += i.value ?? 1;
    for (const s of sets) innermost(s.name).value = s.value ?? 0;
    return set;
  };
  const countDocument = (doc) => {
    const found = new Map();
    let left = MAX_COUNTED;
    const note = (el, which, set, parent) => {
      const style = getComputedStyle(el, which);
      if (!style.content || style.content === "none" || style.content === "normal" || style.display === "none") return set;
      const after = countAt(set, style, `${which}${keyOf(el)}`, parent, null);
      if (/counters?\(/.test(style.content)) {
        if (!found.has(el)) found.set(el, {});
        found.get(el)[which] = after.map((c) => ({ ...c }));
      }
      return after;
    };
    const walk = (el, set, parent, depth) => {
      if (left-- < 0 || depth > 1000) return set;
      const tag = localName(el);
      if (SHAPES.has(tag)) return set;
      const style = getComputedStyle(el);
      if (style.display === "none" || !style.display) return set;
      const own = countAt(set, style, el, parent, tag);
      if (NO_CHILDREN.has(tag)) return own;
      let inside = noPseudo(tag) ? own : note(el, "::before", own, el);
      for (const child of children(el, shadowRootOf(el), tag).nodes) if (nodeType(child) === 1) inside = walk(child, inside, el, depth + 1);
      if (!noPseudo(tag)) note(el, "::after", inside, el);
      return own;
    };
    walk(rootElement(doc), [], null, 0);
    return left < 0 ? null : found;
  };
  const ROMAN = [[1000, "m"], [900, "cm"], [500, "d"], [400, "cd"], [100, "c"], [90, "xc"], [50, "l"], [40, "xl"], [10, "x"], [9, "ix"], [5, "v"], [4, "iv"], [1, "i"]];
  const lettered = (n, letters) => { let s = ""; for (; n > 0; n = Math.floor((n - 1) / letters.length)) s = letters[(n - 1) % letters.length] + s; return s; };
  const LATIN = [..."abcdefghijklmnopqrstuvwxyz"], GREEK = [..."αβγδεζηθικλμνξοπρστυφχψω"];
  // A number in a counter style; null for a style that is not told here.
  const counterText = (n, style) => {
    switch (style) {
      case "decimal": return String(n);
      case "decimal-leading-zero": return (n < 0 ? "-" : "") + String(Math.abs(n)).padStart(2, "0");
      case "lower-alpha": case "lower-latin": return n > 0 ? lettered(n, LATIN) : String(n);
      case "upper-alpha": case "upper-latin": return n > 0 ? lettered(n, LATIN).toUpperCase() : String(n);
      case "lower-greek": return n > 0 ? lettered(n, GREEK) : String(n);
      case "lower-roman": case "upper-roman": {
        if (n < 1 || n > 3999) return String(n);
        let s = "";
        for (const [v, r] of ROMAN) while (n >= v) { s += r; n -= v; }
        return style === "upper-roman" ? s.toUpperCase() : s;
      }
      case "none": return "";
      case "disc": return "\u2022";
      case "circle": return "\u25e6";
      case "square": return "\u25aa";
      default: return null;
    }
  };
  // What counter() or counters() shows in a generated text; null where it cannot be told.
  const counterShown = (el, which, name, separator, style) => {
    const doc = documentOf(el);
    if (!counted.has(doc)) counted.set(doc, countDocument(doc));
    const all = counted.get(doc);
    if (!all) return null;
    const set = all.get(el)?.[which];
    if (!set) return null;
    const mine = set.filter((c) => c.name === name);
    if (!mine.length) mine.push({ value: 0 });
    if (mine.some((c) => c.unknown)) return null;
    const texts = (separator === null ? mine.slice(-1) : mine).map((c) => counterText(c.value, style));
    return texts.includes(null) ? null : texts.join(separator ?? "");
  };
