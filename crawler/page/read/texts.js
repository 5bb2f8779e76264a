/* Text nodes, as pieces. */
  // An icon font draws one glyph for a word: the word is as wide as one or two letters, whatever the font is called.
  const looksLikeIcon = (text, box, style) => {
    const word = text.trim();
    if (/^[\p{Co}\s]+$/u.test(word)) return true;
    if (!/^[a-z0-9_ ]{3,}$/i.test(word) || word.length < 3) return false;
    const size = parseFloat(style.fontSize);
    if (word.length >= 4 && box.r - box.x <= 1.15 * size && box.b - box.y <= 2.2 * size) return true;
    return /icon|symbol|awesome|glyph/i.test(style.fontFamily) && box.r - box.x <= 1.3 * size;
  };
  const readText = (node, style, ctx) => {
    const data = textData(node);
    if (!/\S/.test(data)) { if (data && ctx.blankMatters) gapAtLeast(" "); return; }
    const pre = /^(pre|break-spaces)/.test(style.whiteSpaceCollapse ?? style.whiteSpace);
    if (/^\s/.test(data)) gapAtLeast(" ");
    const rects = rectsBetween(node, 0, data.length, ctx.at);
    const piece = { text: "", box: null, seen: false, why: "", cut: false, partial: false, icon: false, lines: [], at: ctx.at, ctx };
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
      // A word for an icon font that did not come: the word itself is shown.
      piece.meant = piece.seen && /^\w+$/.test(whole) && /icon|symbol|awesome|glyph/i.test(style.fontFamily);
      piece.text = text;
    }
    push(piece);
    if (/\s$/.test(data)) gapAtLeast(" ");
  };
