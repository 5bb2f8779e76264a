/* Boxes are { x, y, r, b }: left, top, right and bottom edge in CSS px from the viewport's top left. */
  const round = (v) => Math.round(v * 100) / 100;
  const crop = (a, b) => {
    const x = Math.max(a.x, b.x), y = Math.max(a.y, b.y);
    return { x, y, r: Math.min(a.r, b.r), b: Math.min(a.b, b.b) };
  };
  // How much larger than its layout says an HTML element is drawn (transform: scale(), zoom, a scaled frame).
  const scaleOf = (el, border, otherwise) => {
    if (!isHtml(el)) return otherwise;
    const width = offsetWidth(el);
    return width > 0 && border.r > border.x ? (border.r - border.x) / width : otherwise;
  };
  const area = (q) => Math.max(0, q.r - q.x) * Math.max(0, q.b - q.y);
  // at: where the document of a frame begins on the viewport, and its scale there.
  const quad = (rect, at) => ({ x: rect.left * at.s + at.x, y: rect.top * at.s + at.y, r: rect.right * at.s + at.x, b: rect.bottom * at.s + at.y });
  const join = (a, b) => (a ? { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), r: Math.max(a.r, b.r), b: Math.max(a.b, b.b) } : b);
  const ORIGIN = { x: 0, y: 0, s: 1 };
  const EVERYWHERE = { x: -1e9, y: -1e9, r: 1e9, b: 1e9 };
