/* Where the lines of an element's text are, for readers of the pixels. */
  const MAX_LINES = 12;
  const sameLine = (a, b) => Math.min(a.b, b.b) - Math.max(a.y, b.y) > 0.6 * Math.min(a.b - a.y, b.b - b.y);
  // Side by side with no more than a line's height of room between them.
  const adjacent = (a, b) => Math.max(a.x, b.x) - Math.min(a.r, b.r) <= Math.max(a.b - a.y, b.b - b.y);
  // Generated text has no rectangles: it stands before the first line of its element, or after the last one, as wide as it measures.
  const generatedLine = (piece, beside) => {
    if (!piece.generated || !beside) return piece.box;
    const { width, which, at, inline } = piece.generated;
    // Of an element in a line it is in the first or the last of its boxes; that may be another line than the nearest text's.
    const boxes = inline ? Array.from(rectsOf(piece.owner), (r) => quad(r, at)).filter((q) => area(q) > 0) : [];
    const own = which === "::before" ? boxes[0] : boxes[boxes.length - 1];
    if (own && !sameLine(own, beside)) return crop(own, piece.box);
    const x = which === "::before" ? beside.x - width : beside.r;
    return crop({ x, y: beside.y, r: x + width, b: beside.b }, piece.box);
  };
  // [[x, y, width, height], ...]: at most 12, in reading order, cut to the viewport and to what clips them.
  const linesOf = (f) => {
    const lines = [];
    const add = (q) => {
      if (!q || area(q) <= 0) return;
      const last = lines[lines.length - 1];
      if (last && sameLine(last, q) && adjacent(last, q)) lines[lines.length - 1] = join(last, q);
      else if (lines.length < MAX_LINES) lines.push(q);
    };
    const shown = inSight(f).filter((p) => p.seen && p.frame === f.frame);
    shown.forEach((piece, i) => {
      if (piece.lines.length) { for (const q of piece.lines) add(q); return; }
      const next = shown[i + 1], last = lines[lines.length - 1];
      const beside = piece.generated?.which === "::before" ? next?.lines[0] : last;
      add(generatedLine(piece, beside));
    });
    return lines.map((q) => [round(q.x), round(q.y), round(q.r - q.x), round(q.b - q.y)]);
  };
