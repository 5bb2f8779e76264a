/* Whether a box lets through what is under it, at a point: 1 opaque, 0 clear, 0.5 nobody can tell from here. */
  const UNSURE = 0.5;
  const byAlpha = (alpha) => (alpha > 0.85 ? 1 : alpha >= 0.6 ? UNSURE : 0);
  const REPLACED = /^(img|video|canvas|iframe|frame|embed|object|svg)$/;

  // The colours of a gradient's stops, from its computed text, where they are written as rgb().
  const stopsOf = (image) => Array.from(image.matchAll(/(?:rgba?|oklch|oklab|lab|lch|color|hsla?)\([^()]*\)/g), (m) => colour(m[0])).filter(Boolean);
  const imageAlpha = (image) => {
    if (/url\(|image-set\(|element\(|paint\(/.test(image)) return UNSURE;
    const alphas = stopsOf(image).map((c) => c.a);
    if (!alphas.length) return UNSURE;
    const least = byAlpha(Math.min(...alphas)), most = byAlpha(Math.max(...alphas));
    return least === most ? least : UNSURE;
  };
  // Whether a shadow reaches far in: "rgb(...) 0px 0px 0px 100px inset".
  const inwards = (shadows) => Array.from(shadows.matchAll(/([-\d.]+)px ([-\d.]+)px ([-\d.]+)px ([-\d.]+)px inset/g)).some((m) => Math.max(...m.slice(1, 5).map((v) => Math.abs(+v))) > 12);
  const groundAlpha = (style, opacity) => {
    if (opacity < 0.5) return 0;
    if ((style.backdropFilter ?? "none") !== "none" && /blur/.test(style.backdropFilter)) return 1;
    const tint = colour(style.backgroundColor);
    let solid = byAlpha((tint === null ? 1 : tint.a) * opacity);
    if (solid < 1 && style.backgroundImage !== "none" && style.webkitBackgroundClip !== "text") solid = Math.max(solid, Math.min(imageAlpha(style.backgroundImage), byAlpha(opacity)));
    // A wide shadow inside a box, or an outline drawn inwards, is a ground as well.
    if (solid < 1 && style.boxShadow !== "none" && / inset/.test(style.boxShadow) && inwards(style.boxShadow)) solid = Math.max(solid, UNSURE);
    if (solid < 1 && parseFloat(style.outlineOffset) < 0 && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 8) solid = Math.max(solid, UNSURE);
    if (solid && style.mixBlendMode !== "normal") return UNSURE;
    return solid;
  };
  // One pixel of a picture or a canvas, at a share of its width and height; null where it is of another origin.
  const alphaAt = (source, width, height, fx, fy) => {
    try {
      ruler().clearRect(0, 0, 1, 1);
      ruler().drawImage(source, Math.min(width - 1, Math.max(0, Math.floor(fx * width))), Math.min(height - 1, Math.max(0, Math.floor(fy * height))), 1, 1, 0, 0, 1, 1);
      return ruler().getImageData(0, 0, 1, 1).data[3] / 255;
    } catch { rulerMade = null; return null; }
  };
  const shapeAlpha = (shape, style, x, y) => {
    if (style.fill === "none") return 0;
    const tint = colour(style.fill), alpha = byAlpha((tint === null ? 1 : tint.a) * parseFloat(style.fillOpacity) * parseFloat(style.opacity));
    const matrix = alpha ? shape.getScreenCTM() : null;
    return matrix && shape.isPointInFill(new DOMPoint(x, y).matrixTransform(matrix.inverse())) ? alpha : 0;
  };
  const shapeAt = (svg, x, y) => {
    const shapes = Element.prototype.querySelectorAll.call(svg, "path,rect,circle,ellipse,polygon,image,text,use,foreignObject");
    if (shapes.length > 300) return UNSURE;
    let found = 0;
    for (const shape of shapes) {
      const r = boundsOf(shape);
      if (x < r.left || x > r.right || y < r.top || y > r.bottom) continue;
      if (!(shape instanceof documentView(svg).SVGGeometryElement)) { found = UNSURE; continue; }
      if (shape.closest("defs,clipPath,mask,pattern,symbol,marker")) continue;
      const style = getComputedStyle(shape);
      if (style.visibility !== "visible" || style.display === "none") continue;
      const alpha = shapeAlpha(shape, style, x, y);
      if (alpha === 1) return 1;
      if (alpha) found = UNSURE;
    }
    return found;
  };
  const documentView = (el) => getter(Document.prototype, "defaultView")(documentOf(el)) ?? globalThis;
  const replacedAlpha = (el, tag, x, y, passive) => {
    const r = boundsOf(el), fx = (x - r.left) / r.width, fy = (y - r.top) / r.height;
    if (tag === "svg") return shapeAt(el, x, y);
    if (tag === "canvas") {
      const alpha = el.width && el.height ? alphaAt(el, el.width, el.height, fx, fy) : 0;
      return alpha === null ? UNSURE : alpha > 0 || passive ? byAlpha(alpha) : UNSURE;
    }
    if (tag === "img") {
      if (!el.complete || !el.naturalWidth) return 0;
      const alpha = alphaAt(el, el.naturalWidth, el.naturalHeight, fx, fy);
      return alpha !== null ? byAlpha(alpha) : /\.jpe?g\b/i.test(el.currentSrc) ? 1 : UNSURE;
    }
    return passive && tag !== "video" ? UNSURE : 1;
  };
  // x, y: in the coordinates of the element's own document. passive: it takes no pointer events.
  const alphaOf = (el, x, y, passive, opacity) => {
    const tag = localName(el);
    if (tag === "dialog" && matches(el, ":modal")) {
      // Beside its box a modal dialog is hit for its backdrop, which is mostly see-through.
      const r = boundsOf(el);
      if (x < r.left || x > r.right || y < r.top || y > r.bottom) {
        const back = getComputedStyle(el, "::backdrop");
        return groundAlpha(back, parseFloat(back.opacity));
      }
    }
    const style = getComputedStyle(el), shared = opacity ?? parseFloat(style.opacity);
    if (style.visibility !== "visible") return 0;
    // A shape of a drawing is met where it is painted: where that is its outline, what is inside shows.
    if (el instanceof documentView(el).SVGGeometryElement) return shapeAlpha(el, style, x, y) * (shared < 0.6 ? 0 : 1);
    const ground = groundAlpha(style, shared);
    if (ground === 1 || !REPLACED.test(tag)) return ground;
    return Math.max(ground, Math.min(byAlpha(shared), replacedAlpha(el, tag, x, y, passive)));
  };
