/* What holds inside an element: where it is clipped, how faint it is, what it is painted on. */
  // Whether an element is the containing block of fixed descendants; asked only where there is one.
  const holdsFixed = (el, style) => style.filter !== "none" || (style.display !== "inline" && holdsAsBox(style));
  const holdsAsBox = (style) => style.transform !== "none" || style.perspective !== "none"
    || style.translate !== "none" || style.rotate !== "none" || style.scale !== "none" || style.contentVisibility !== "visible"
    || /paint|strict|content|layout/.test(style.contain) || /transform|filter|translate|rotate|scale/.test(style.willChange) || (style.backdropFilter ?? "none") !== "none";
  // The clip that holds for a placed element: that of its containing block, not of its parent.
  const placedClip = (position, ctx) => {
    for (let up = ctx; up.el; up = up.parent) {
      if (position === "absolute" && up.position !== "static") return up.clip;
      if (holdsFixed(up.el, up.style)) return up.clip;
    }
    return ctx.outermost;
  };
  // Whether a box is turned so that its back is to the reader; transforms add up as far as boxes share one space.
  const turnedAway = (ctx) => {
    let matrix = new DOMMatrix();
    for (let c = ctx; c && c.el; c = c.parent) {
      const { transform, rotate } = c.style;
      if (transform !== "none") matrix = new DOMMatrix(transform).multiply(matrix);
      if (rotate !== "none") {
        const [, axis, angle] = /^(.*?)\s*([-\d.]+deg)$/.exec(rotate) ?? [];
        const axes = { "": "0, 0, 1", x: "1, 0, 0", y: "0, 1, 0", z: "0, 0, 1" }[axis] ?? axis?.replace(/\s+/g, ", ");
        if (angle) matrix = new DOMMatrix(`rotate3d(${axes}, ${angle})`).multiply(matrix);
      }
      const up = c.parent;
      if (!up || !up.el || up.style.transformStyle !== "preserve-3d" || up.style.overflowX !== "visible") break;
    }
    return !matrix.is2D && matrix.inverse().m33 < 0;
  };
  const filtered = (ctx, filter, style) => {
    const faded = /opacity\(([\d.]+)(%?)\)/.exec(filter), blurred = /blur\(([\d.]+)px\)/.exec(filter);
    if (faded) ctx.opacity *= +faded[1] / (faded[2] ? 100 : 1);
    if (blurred && +blurred[1] > 0.2 * parseFloat(style.fontSize)) ctx.veil = true;
    if (/url\(/.test(filter)) ctx.veil = true;
    ctx.filters = [...(filter.match(TINTING) ?? []), ctx.filters].filter(Boolean).join(" ");
  };
  // What filters around it make of a colour: drawn through them, and looked at.
  const TINTING = /(?:grayscale|sepia|saturate|hue-rotate|invert|brightness|contrast)\([^()]*\)/g;
  const tinted = (c, filters) => {
    if (!c || !filters || c.a < 0.06) return c;
    const key = `${c.r},${c.g},${c.b},${c.a} ${filters}`;
    if (!colours.has(key)) {
      ruler().filter = filters;
      colours.set(key, drawnColour(`rgba(${c.r}, ${c.g}, ${c.b}, ${c.a})`));
      ruler().filter = "none";
    }
    return colours.get(key);
  };
  // A mask that hides all hides; one that hides a part may hide this text or not.
  const masked = (ctx, style, image) => {
    const alpha = imageAlpha(image);
    if (alpha === 0) ctx.opacity = 0;
    else if (alpha < 1 || !/^(auto|100% 100%|cover)$/.test(style.maskSize) || /exclude|subtract/.test(style.maskComposite)) ctx.veil = true;
  };
  const painted = (ctx, style) => {
    const image = style.backgroundImage;
    if (image !== "none") {
      ctx.ground = null;
      ctx.textClip = style.webkitBackgroundClip === "text";
      ctx.stops = ctx.textClip || /url\(|image-set\(/.test(image) ? null : stopsOf(image);
      return;
    }
    const ground = tinted(colour(style.backgroundColor), ctx.filters);
    if (ground === null || (ground.a > 0 && ground.a < 1)) { ctx.ground = null; ctx.stops = null; }
    else if (ground.a === 1) { ctx.ground = ground; ctx.stops = null; }
  };
  // How far beyond the padding box overflow: clip lets text be seen, px of the layout: [left, top, right, bottom].
  const clipMargins = (style, overX, overY) => {
    if (overX !== "clip" && overY !== "clip") return [0, 0, 0, 0];
    const m = /^(?:([-a-z]+-box)\s*)?(?:([\d.]+)px)?$/.exec(style.overflowClipMargin ?? "") ?? [], more = +(m[2] ?? 0);
    const from = (side) => (m[1] === "content-box" ? -parseFloat(style[`padding${side}`]) : m[1] === "border-box" ? parseFloat(style[`border${side}Width`]) : 0) + more;
    return ["Left", "Top", "Right", "Bottom"].map((side) => (/Left|Right/.test(side) ? overX : overY) === "clip" ? from(side) : 0);
  };
  // A clip-path or a mask cuts everything inside, wherever it is placed: a mask at the border box.
  const carvedInside = (ctx, el, style, border, k, sifted) => {
    const shape = clipShape(style, border, k), cuts = sifted && isHtml(el) && !/no-clip/.test(style.maskClip) ? [border] : [];
    if (shape?.cut) cuts.push(shape.cut);
    for (const cut of cuts) { ctx.carve = crop(ctx.carve, cut); ctx.clip = crop(ctx.clip, cut); }
    if (shape?.inside) ctx.shapes = [...(ctx.shapes ?? []), shape.inside];
    if (shape?.unknown) ctx.veil = true;
    return ctx;
  };
  // What holds inside an element. One object an element; properties are asked for only where they can matter: style look-ups
  // are most of what a reading costs.
  const contextFor = (el, tag, style, display, skipping, parent) => {
    const position = style.position;
    const ctx = { ...parent, parent, el, style, position, unseen: undefined, place: null, order: ++orders, top: false };
    if (HIT) { contexts.set(el, ctx); ctx.inert = parent.inert || hasAttr(el, "inert"); }
    if (tag === "dialog" ? matches(el, ":modal") : hasAttr(el, "popover") && matches(el, ":popover-open")) {
      Object.assign(ctx, { clip: parent.outermost, carve: EVERYWHERE, shapes: null, opacity: 1, ground: null, stops: null, veil: false, away: false, top: true });
      if (tag === "dialog") ctx.inert = false;
    } else if (position === "fixed" || position === "absolute") ctx.clip = crop(placedClip(position, parent), ctx.carve);
    if (display === "contents") return ctx;
    // A block inside a run of text is not painted on the ground of that run.
    if (parent.el && parent.style.display === "inline" && !/^inline|^ruby/.test(display)) {
      let box = parent;
      while (box.el && box.style.display === "inline") box = box.parent;
      if (!ctx.top) { ctx.ground = box.ground; ctx.stops = box.stops; ctx.textClip = box.textClip; }
    }
    ctx.svg = SVG_TAGS.has(tag);
    const opacity = style.opacity;
    if (opacity !== "1") ctx.opacity *= parseFloat(opacity);
    const filter = style.filter;
    if (filter !== "none") filtered(ctx, filter, style);
    // The root's filter works on the whole canvas.
    if (filter !== "none" && tag === "html") ctx.ground = tinted(ctx.ground, ctx.filters);
    painted(ctx, style);
    // Colours that come of what is beneath: nobody can tell here whether text and ground still differ.
    if (style.mixBlendMode !== "normal") ctx.veil = true;
    const mask = style.maskImage, sifted = mask !== undefined && mask !== "none";
    if (sifted) masked(ctx, style, mask);
    if (display === "inline" && !sifted && style.clipPath === "none") return ctx;
    if (display === "inline") return carvedInside(ctx, el, style, quad(boundsOf(el), ctx.at), ctx.at.s, sifted);
    if (style.backfaceVisibility === "hidden" && turnedAway(ctx)) ctx.away = true;
    // The cells of a row that is folded away are not drawn, whatever they say themselves.
    if (/^table-(row|header|footer)/.test(display) && style.visibility === "collapse") ctx.opacity = 0;
    const overX = style.overflowX, overY = style.overflowY;
    const clips = (overX !== "visible" || overY !== "visible") && tag !== "html" && tag !== "body";
    const carved = style.clipPath !== "none" || (position !== "static" && style.clip !== "auto");
    const contained = skipping !== "visible" || (style.contain !== "none" && /paint|strict|content/.test(style.contain));
    const border = clips || carved || contained || sifted ? quad(boundsOf(el), ctx.at) : null;
    // In a box that is turned or stretched in one direction the inner edges are not where layout says: its outer ones stand for them.
    const k = border ? scaleOf(el, border, ctx.at.s) : 1;
    const even = border !== null && (!isHtml(el) || Math.abs((border.b - border.y) - offsetHeight(el) * k) < 1 + 0.02 * (border.b - border.y));
    if (clips || contained) {
      const openX = overX === "visible" && !contained, openY = overY === "visible" && !contained;
      const [ml, mt, mr, mb] = clipMargins(style, contained ? "clip" : overX, contained ? "clip" : overY);
      const most = Math.max(ml, mt, mr, mb, 0), left = border.x + clientLeft(el) * k, top = border.y + clientTop(el) * k;
      const inner = even ? { x: left - ml * k, y: top - mt * k, r: left + (clientWidth(el) + mr) * k, b: top + (clientHeight(el) + mb) * k }
        : { x: border.x - most * k, y: border.y - most * k, r: border.r + most * k, b: border.b + most * k };
      ctx.clip = crop(ctx.clip, { x: openX ? -1e9 : inner.x, y: openY ? -1e9 : inner.y, r: openX ? 1e9 : inner.r, b: openY ? 1e9 : inner.b });
    }
    if (carved || sifted) carvedInside(ctx, el, style, border, k, sifted);
    ctx.ellipsis = null;
    if (clips && style.textOverflow !== "clip" && style.textOverflow !== "" && scrollWidth(el) > clientWidth(el)) {
      const left = border.x + (clientLeft(el) + parseFloat(style.paddingLeft || 0)) * k;
      const right = border.x + (clientLeft(el) + clientWidth(el) - parseFloat(style.paddingRight || 0)) * k;
      ctx.ellipsis = { box: { x: left, r: right, y: -1e9, b: 1e9 }, mark: widthOf("\u2026", style) * k, rtl: style.direction === "rtl" };
    }
    const lines = clips ? style.webkitLineClamp : "none";
    ctx.clamp = (lines && lines !== "none" && scrollHeight(el) > clientHeight(el) + 1) || (ctx.clamp && display !== "block");
    ctx.blankMatters = !/flex|grid|table$|table-row|table-(header|footer|row)-group/.test(display);
    return ctx;
  };

  // A control's own clipping is that of its inner editor; whether the control is seen is up to what is around it.
  const outerClip = (inner) => (/fixed|absolute/.test(inner.position) ? placedClip(inner.position, inner.parent) : inner.parent.clip);
