/* Whether something opaque lies over a text. */
  const OPAQUE = 0.85;   // of a colour: what is under it cannot be read
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
