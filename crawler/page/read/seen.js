/* Whether a text can be seen at all, by its styles and its rectangles. */
  const freshRuler = () => new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  let rulerMade = null;
  const ruler = () => (rulerMade ??= freshRuler());
  // How wide a text is in an element's font, CSS px.
  const widthOf = (text, style) => {
    ruler().font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    ruler().letterSpacing = style.letterSpacing === "normal" ? "0px" : style.letterSpacing;
    return ruler().measureText(text).width;
  };
  // A colour written in another way than rgb(), such as oklch() and color-mix(): drawn, and looked at.
  const drawnColour = (css) => {
    if (!css) return null;
    ruler().clearRect(0, 0, 1, 1);
    ruler().fillStyle = "#010203";
    ruler().fillStyle = css;
    if (ruler().fillStyle === "#010203") return null;
    ruler().fillRect(0, 0, 1, 1);
    const [r, g, b, a] = ruler().getImageData(0, 0, 1, 1).data;
    return { r, g, b, a: a / 255 };
  };
  const colours = new Map();
  const colour = (css) => {
    let c = colours.get(css);
    if (c === undefined) {
      const m = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(css);
      c = m ? { r: +m[1], g: +m[2], b: +m[3], a: m[4] === undefined ? 1 : +m[4] } : drawnColour(css);
      colours.set(css, c);
    }
    return c;
  };
  const close = (a, b) => a && b && Math.abs(a.r - b.r) < 10 && Math.abs(a.g - b.g) < 10 && Math.abs(a.b - b.b) < 10;
  const faint = (c, share) => (c && { ...c, a: c.a * share });
  // The letters of a drawing may be filled, or only have an outline.
  const drawnFill = (style) => {
    const fill = style.fill === "none" ? null : faint(colour(style.fill), parseFloat(style.fillOpacity));
    if (style.fill !== "none" && (!fill || fill.a >= 0.06)) return fill;
    const line = style.stroke === "none" || !(parseFloat(style.strokeWidth) > 0) ? null : faint(colour(style.stroke), parseFloat(style.strokeOpacity));
    return line ?? { r: 0, g: 0, b: 0, a: 0 };
  };
  const fillOf = (style, ctx) => tinted(ownFill(style, ctx), ctx.filters);
  const ownFill = (style, ctx) => (ctx.svg ? drawnFill(style) : colour(style.webkitTextFillColor || style.color));
  // A gradient that somewhere has the colour of the text: it may be here.
  const nearStops = (style, ctx) => {
    if (!ctx.stops || ctx.textClip) return false;
    const fill = fillOf(style, ctx);
    return fill !== null && ctx.stops.some((c) => c.a > 0.5 && close(fill, c));
  };
  const unseen = (style, ctx) => (ctx.style === style ? (ctx.unseen ??= whyUnseen(style, ctx)) : whyUnseen(style, ctx));
  const whyUnseen = (style, ctx) => {
    if (style.visibility !== "visible") return "hidden";
    if (ctx.away) return "turned-away";
    if (ctx.opacity < 0.06) return "transparent";
    if (parseFloat(style.fontSize) < 2) return "zero-size";
    const fill = fillOf(style, ctx);
    const painted = style.textShadow !== "none" || parseFloat(style.webkitTextStrokeWidth) > 0 || ctx.textClip;
    if (!painted && fill && fill.a < 0.06) return "transparent";
    if (!painted && fill && fill.a > 0.99 && ctx.ground && close(fill, ctx.ground)) return "same-colour";
    if (!painted && fill && ctx.stops && ctx.stops.length && ctx.stops.every((c) => c.a === 1 && close(fill, c))) return "same-colour";
    return "";
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
  // Where a page is written from right to left it is the other way round: what is left of its origin can be scrolled to.
  let mirrored;
  const offPage = (rects) => {
    mirrored ??= getComputedStyle(getter(Document.prototype, "body")(document) ?? root).direction === "rtl";
    return rects.every((q) => (mirrored ? q.x + view.scrollX >= clientWidth(root) : q.r + view.scrollX <= 0) || q.b + view.scrollY <= 0);
  };
  const outsideView = (rects) => rects.every((q) => area(crop(q, VIEW)) === 0);
