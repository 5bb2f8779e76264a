/* Whether a text can be seen at all, by its styles and its rectangles. */
  const freshRuler = () => new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  let ruler = freshRuler();
  // How wide a text is in an element's font, CSS px.
  const widthOf = (text, style) => {
    ruler.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    return ruler.measureText(text).width;
  };
  // A colour written in another way than rgb(), such as oklch() and color-mix(): drawn, and looked at.
  const drawnColour = (css) => {
    if (!css) return null;
    ruler.clearRect(0, 0, 1, 1);
    ruler.fillStyle = "#010203";
    ruler.fillStyle = css;
    if (ruler.fillStyle === "#010203") return null;
    ruler.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = ruler.getImageData(0, 0, 1, 1).data;
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
  const unseen = (style, ctx) => (ctx.style === style ? (ctx.unseen ??= whyUnseen(style, ctx)) : whyUnseen(style, ctx));
  const whyUnseen = (style, ctx) => {
    if (style.visibility !== "visible") return "hidden";
    if (ctx.opacity < 0.06) return "transparent";
    if (parseFloat(style.fontSize) < 2) return "zero-size";
    const fill = colour(style.webkitTextFillColor || style.color);
    const painted = style.textShadow !== "none" || parseFloat(style.webkitTextStrokeWidth) > 0 || ctx.textClip;
    if (!painted && fill && fill.a < 0.06) return "transparent";
    if (!painted && fill && fill.a === 1 && ctx.ground && close(fill, ctx.ground)) return "same-colour";
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
  const offPage = (rects) => rects.every((q) => q.r + view.scrollX <= 0 || q.b + view.scrollY <= 0);
  const outsideView = (rects) => rects.every((q) => area(crop(q, VIEW)) === 0);
