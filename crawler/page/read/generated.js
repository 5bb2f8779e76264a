/* Generated content, ::before and ::after: what it says, and where it is where it is placed. ::marker is no text. */
  const unescaped = (css) => css.replace(/\\([0-9a-f]{1,6})\s?|\\(.)/gi, (_, hex, ch) => (hex ? String.fromCodePoint(parseInt(hex, 16) || 0xfffd) : ch));
  const TOKEN = /"((?:[^"\\]|\\.)*)"|([-\w]+)\(((?:"(?:[^"\\]|\\.)*"|[^"()]|\((?:"(?:[^"\\]|\\.)*"|[^"()])*\))*)\)|([-\w]+)|(\/)/gs;
  const QUOTES = { de: "\u201e\u201c\u201a\u2018", fr: "\u00ab\u00bb\u00ab\u00bb", es: "\u00ab\u00bb\u201c\u201d", it: "\u00ab\u00bb\u201c\u201d", ru: "\u00ab\u00bb\u201e\u201c",
    ja: "\u300c\u300d\u300e\u300f", pl: "\u201e\u201d\u00ab\u00bb", nl: "\u2018\u2019\u201c\u201d", sv: "\u201d\u201d\u2019\u2019" };
  let quoteDepth = 0;
  const quote = (el, style, opens) => {
    const level = Math.min(1, Math.max(0, opens ? quoteDepth : quoteDepth - 1));
    quoteDepth = Math.max(0, quoteDepth + (opens ? 1 : -1));
    if (style.quotes === "none") return "";
    const marks = Array.from(style.quotes.matchAll(/"((?:[^"\\]|\\.)*)"/g), (m) => unescaped(m[1]));
    if (marks.length >= 2) return marks[2 * Math.min(level, marks.length / 2 - 1) + (opens ? 0 : 1)] ?? "";
    const lang = /^[a-z]*/.exec((el.closest("[lang]")?.getAttribute("lang") ?? "en").toLowerCase())[0];
    return (QUOTES[lang] ?? "\u201c\u201d\u2018\u2019")[2 * level + (opens ? 0 : 1)];
  };
  // The text of a computed `content`, and whether a part of it cannot be told. What stands after a slash is not shown.
  const contentOf = (el, which, style) => {
    let text = "", unknown = false, picture = false;
    for (const [, string, name, inside, word, slash] of style.content.matchAll(TOKEN)) {
      if (slash) break;
      if (string !== undefined) text += unescaped(string);
      else if (name === "attr") {
        const [, of, fallback] = /^\s*([-\w|]+)[^,]*(?:,\s*"((?:[^"\\]|\\.)*)")?/s.exec(inside) ?? [];
        text += (of && attr(el, of)) ?? (fallback === undefined ? "" : unescaped(fallback));
      } else if (name === "counter" || name === "counters") {
        const parts = /^\s*([^\s,"]+)\s*(?:,\s*"((?:[^"\\]|\\.)*)")?\s*(?:,\s*(.+?))?\s*$/s.exec(inside);
        const shown = parts && !(name === "counters" && parts[2] === undefined) ? counterShown(el, which, parts[1], name === "counters" ? unescaped(parts[2]) : null, parts[3] ?? "decimal") : null;
        if (shown === null) unknown = true; else text += shown;
      } else if (name) picture = true;
      else if (word === "open-quote" || word === "close-quote") text += quote(el, style, word === "open-quote");
      else if (word === "no-open-quote") quoteDepth++;
      else if (word === "no-close-quote") quoteDepth = Math.max(0, quoteDepth - 1);
    }
    return { text, unknown, picture };
  };
  // { box, clip, rough } of a placed pseudo-element: its used lengths count from the padding box of what holds it. Null where it is in the flow.
  const pseudoBox = (style, ctx) => {
    const position = style.position;
    if (position !== "absolute" && position !== "fixed") return null;
    let up = ctx;
    while (up.el && !(position === "absolute" && up.position !== "static") && !holdsFixed(up.el, up.style)) up = up.parent;
    let base = { x: ctx.at.x, y: ctx.at.y }, k = ctx.at.s;
    if (up.el) {
      const border = quad(boundsOf(up.el), ctx.at);
      k = isHtml(up.el) && offsetWidth(up.el) > 0 && area(border) === 0 ? 0 : scaleOf(up.el, border, ctx.at.s);
      base = { x: border.x + clientLeft(up.el) * k, y: border.y + clientTop(up.el) * k };
    } else if (position === "absolute") base = { x: ctx.at.x - view.scrollX * k, y: ctx.at.y - view.scrollY * k };
    const of = (name) => parseFloat(style[name]) || 0;
    const grown = style.boxSizing === "border-box" ? [0, 0] : [of("paddingLeft") + of("paddingRight") + of("borderLeftWidth") + of("borderRightWidth"), of("paddingTop") + of("paddingBottom") + of("borderTopWidth") + of("borderBottomWidth")];
    const x = of("left") + of("marginLeft"), y = of("top") + of("marginTop");
    let q = { x, y, r: x + of("width") + grown[0], b: y + of("height") + grown[1] }, rough = false;
    if (style.transform !== "none" || style.scale !== "none" || style.translate !== "none" || style.rotate !== "none") {
      const m = new DOMMatrix(style.transform === "none" ? undefined : style.transform);
      const [ox, oy] = style.transformOrigin.split(" ").map(parseFloat);
      const moved = (px, py) => { const p = m.transformPoint(new DOMPoint(px - x - ox, py - y - oy)); return { x: p.x + x + ox, y: p.y + y + oy }; };
      const c = [moved(q.x, q.y), moved(q.r, q.y), moved(q.x, q.b), moved(q.r, q.b)];
      rough = !m.is2D || m.b !== 0 || m.c !== 0 || style.scale !== "none" || style.translate !== "none" || style.rotate !== "none";
      q = { x: Math.min(...c.map((p) => p.x)), y: Math.min(...c.map((p) => p.y)), r: Math.max(...c.map((p) => p.x)), b: Math.max(...c.map((p) => p.y)) };
    }
    const box = { x: base.x + q.x * k, y: base.y + q.y * k, r: base.x + q.r * k, b: base.y + q.b * k };
    if (style.clipPath !== "none") { const shape = clipShape(style, box, k); if (shape?.cut) Object.assign(box, crop(box, shape.cut)); if (shape?.inside || shape?.unknown) rough = true; }
    return { box, clip: up.el ? up.clip : ctx.outermost, rough };
  };

  // A badge has a ground of its own: white letters on it are seen, though the page beneath is white too.
  const onItsGround = (style, ctx) => {
    if (style.backgroundImage === "none" && style.backgroundColor === "rgba(0, 0, 0, 0)") return ctx;
    const own = { ...ctx, unseen: undefined };
    painted(own, style);
    return own;
  };
  // An element whose own letters have no size (font-size: 0) is a line without height; what is generated in it stands on that line.
  const standing = (q, size) => (q && q.b - q.y < 2 && q.r > q.x && size >= 2 ? { ...q, y: q.b - 0.95 * size, b: q.b + 0.25 * size } : q);
  const readPseudo = (el, which, ctx, boxOf, frame) => {
    const style = getComputedStyle(el, which);
    const content = style.content;
    if (!content || content === "none" || content === "normal" || style.display === "none") return false;
    const { text, unknown } = contentOf(el, which, style);
    if (parseFloat(style.opacity) < 0.06) return false;
    const covers = HIT && mayCover(style, "");
    const placed = covers || /\S/.test(text) ? pseudoBox(style, ctx) : null;
    if (HIT && (placed || style.position !== "static")) pseudoHosts.add(el);
    if (covers && placed) addPseudoCandidate(el, which, ctx, style, placed, frame);
    const box = placed ? placed.box : standing(boxOf(), parseFloat(style.fontSize) * ctx.at.s), clip = crop(placed ? placed.clip : ctx.clip, VIEW);
    const own = onItsGround(style, ctx), why = box && own === ctx ? unseenOn([box], style, own) : unseen(style, own);
    if (unknown) { push({ text: "", box, seen: false, why: why || "counter", cut: false, partial: false, icon: false, lines: [] }); return true; }
    if (!/\S/.test(text)) { if (text) gapAtLeast(" "); return false; }
    const inline = /^inline/.test(style.display);
    if (!inline) gapAtLeast("\n");
    else if (/^\s/.test(text)) gapAtLeast(" ");
    const icon = generatedIcon(el, text, style);
    const inside = box && crop(box, clip);
    const seen = !why && !icon && inside && area(inside) > 0 && (!placed || area(inside) >= 0.5 * area(box))
      && (!ctx.shapes || shareInside([inside], ctx.shapes) >= 0.2);
    const shown = shaped(text.trim(), style);
    const piece = { text: shown, box: seen ? inside : null, seen: !!seen, why: seen ? "" : icon ? "icon" : why || "clipped", cut: false, partial: false, icon,
      lines: seen && placed ? [inside] : [], at: ctx.at, ctx, generated: HIT && seen && !placed ? { which, at: ctx.at, inline: ctx.style.display === "inline", width: widthOf(shaped(text.replace(/\s+/g, " "), style), style) * ctx.at.s } : null };
    push(piece);
    if (placed && HIT) piece.place = [...placeOf(style, placeIn(ctx), piece.order, holdsItems(ctx.style), style.position, false).path, [5, 0, piece.order]];
    if (!inline) gapAtLeast("\n");
    else if (/\s$/.test(text)) gapAtLeast(" ");
    return true;
  };
