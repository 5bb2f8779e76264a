/* Text nodes, as pieces. */
  // An icon font draws one glyph for a word: the word is as wide as one or two letters, whatever the font is called.
  // The first family alone: "Segoe UI Symbol" ends the lists of fonts of many ordinary pages.
  const iconFont = (style) => /icon|symbol|awesome|glyph/i.test(style.fontFamily.split(",")[0]);
  const narrowAsIcon = (word, width, size, style) => (word.length >= 4 && width <= 1.15 * size) || (iconFont(style) && width <= 1.3 * size);
  const mayBeIcon = (word) => /^[a-z0-9_ ]{3,}$/i.test(word);
  const looksLikeIcon = (text, box, style, el, s) => {
    const word = text.trim();
    if (/^[\p{Co}\s]+$/u.test(word)) return true;
    if (!mayBeIcon(word)) return false;
    const narrow = (size) => narrowAsIcon(word, box.r - box.x, size, style) && (box.b - box.y <= 2.2 * size || iconFont(style));
    const size = parseFloat(style.fontSize);
    // A word may be narrow because it is drawn smaller than its font size says.
    return narrow(size) && narrow(size * scaleOf(el, quad(boundsOf(el), { x: 0, y: 0, s }), s));
  };
  // Generated text has no rectangle of its own: it is measured, with the fonts of the page. Those of a frame cannot be had here.
  const generatedIcon = (el, text, style) => {
    const word = text.trim();
    if (/^[\p{Co}\s]+$/u.test(word)) return true;
    if (documentOf(el) !== document) return iconFont(style);
    return mayBeIcon(word) && narrowAsIcon(word, widthOf(shaped(word, style), style), parseFloat(style.fontSize), style);
  };
  // A letter of a line is cut off at its side, or a third of all letters above or below.
  const cutThrough = (q, clip) => area(q) > 0 && (Math.max(clip.x - q.x, q.r - clip.r) > 0.2 * (q.b - q.y) || Math.min(q.b, clip.b) - Math.max(q.y, clip.y) < 0.67 * (q.b - q.y));
  const readText = (node, style, ctx) => {
    const data = textData(node);
    if (!/\S/.test(data)) { if (data && ctx.blankMatters) gapAtLeast(" "); return; }
    const pre = /^(pre|break-spaces)/.test(style.whiteSpaceCollapse ?? style.whiteSpace);
    if (/^\s/.test(data)) gapAtLeast(" ");
    const rects = rectsBetween(node, 0, data.length, ctx.at);
    const piece = { text: "", box: null, seen: false, why: "", cut: false, partial: false, icon: false, lines: [], at: ctx.at, ctx };
    const whole = shaped(pre ? data : data.replace(/\s+/g, " ").trim(), style);
    let why = rects.some((q) => area(q) > 0 && q.b - q.y >= 2) ? unseenOn(rects, style, ctx) : "zero-size";
    const clip = crop(ctx.clip, VIEW);
    const share = why ? 0 : shareSeen(rects, clip);
    if (!why && share === 0) why = offPage(rects) ? "off-page" : outsideView(rects) ? "off-viewport" : "clipped";
    const inShape = why || !ctx.shapes ? 1 : shareInside(rects.map((q) => crop(q, clip)).filter((q) => area(q) > 0), ctx.shapes);
    if (inShape < 0.2) why = "clipped";
    if (why) { piece.why = why; piece.text = whole; piece.box = rects.reduce(join, null); }
    else {
      let text = whole;
      const ell = ctx.ellipsis;
      const beyond = ell && rects.some((q) => q.r > ell.box.r + 0.5 || q.x < ell.box.x - 0.5);
      if (beyond) {
        // Text-overflow: the characters that fit beside the mark, found by halving. Text against the direction of its line keeps its end.
        const room = { x: ell.rtl ? ell.box.x + ell.mark : ell.box.x - 1, r: ell.rtl ? ell.box.r + 1 : ell.box.r - ell.mark };
        const fits = (from, to) => rectsBetween(node, from, to, ctx.at).every((q) => q.r <= room.r + 1 && q.x >= room.x - 1);
        const first = data.search(/\S/), last = data.trimEnd().length, endFits = fits(last - 1, last), fromEnd = !fits(first, first + 1) && endFits;
        let lo = 0, hi = data.length;
        while (lo < hi) {
          const mid = (lo + hi + 1) >> 1;
          if (fromEnd ? fits(last - Math.min(mid, last), last) : fits(0, mid)) lo = mid; else hi = mid - 1;
        }
        const kept = shaped((fromEnd ? data.slice(last - Math.min(lo, last), last) : data.slice(0, lo)).replace(/\s+/g, " ").trim(), style);
        text = fromEnd ? "\u2026" + kept : kept + "\u2026";
        // Both ends stand: the line runs in two directions, and the mark is somewhere between.
        if (endFits && !fromEnd && lo < last && last < 400) {
          let marked = false;
          text = "";
          for (let i = first; i < last; i++) {
            if (fits(i, i + 1)) text += data[i];
            else if (!marked) { marked = true; text += "\u2026"; }
          }
          text = shaped(well(text).replace(/\s+/g, " "), style);
        }
        piece.cut = true;
        if (!lo && rects[0] && (ell.rtl ? rects[0].r < ell.box.x + ell.mark : rects[0].x > ell.box.r - ell.mark)) text = "";
      } else if (share < 0.97 || rects.some((q) => cutThrough(q, clip))) {
        const kept = [];
        let lost = 0, words = 0;
        for (const m of data.matchAll(/[^\s\u3000]{1,24}/g)) {
          if (++words > 600) { piece.partial = true; break; }
          const parts = rectsBetween(node, m.index, m.index + m[0].length, ctx.at);
          const inside = shareSeen(parts, clip);
          if (inside >= 0.6) kept.push(m[0]); else lost++;
          // A word that is cut may read as another one: 20094 as 200.
          if (inside >= 0.6 && parts.some((q) => cutThrough(q, clip))) piece.partial = true;
        }
        text = shaped(lost ? kept.join(" ") : data.replace(/\s+/g, " ").trim(), style);
        if (lost) { if (ctx.clamp) { piece.cut = true; text += "\u2026"; } else piece.partial = true; }
      }
      for (const q of rects) {
        const inside = crop(q, clip);
        if (area(inside) > 0) { piece.box = join(piece.box, inside); if (piece.lines.length < 12) piece.lines.push(inside); }
      }
      piece.icon = piece.box !== null && looksLikeIcon(whole, rects.reduce(join, null), style, owner, ctx.at.s);
      piece.seen = text !== "" && !piece.icon;
      if (!piece.seen) piece.why = piece.icon ? "icon" : "clipped";
      // A word for an icon font that did not come: the word itself is shown.
      piece.meant = piece.seen && /^\w+$/.test(whole) && iconFont(style);
      piece.text = text;
      if (inShape < 0.95) piece.partial = true;
      piece.veil = ctx.veil || nearStops(style, ctx);
    }
    push(piece);
    // A blank without size is not drawn; one that is drawn parts words, whatever unseen text comes after it.
    piece.trails = /\s$/.test(data) && why !== "zero-size";
    if (piece.trails) gapAtLeast(" ");
  };
