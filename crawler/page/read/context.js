/* What holds inside an element: where it is clipped, how faint it is, what it is painted on. */
  const clipPath = (style, box) => {
    const inset = /^inset\((.*?)(?: round .*)?\)$/.exec(style.clipPath);
    if (inset) {
      const w = box.r - box.x, h = box.b - box.y;
      const v = inset[1].split(/\s+/), px = (s, whole) => (s.endsWith("%") ? (parseFloat(s) / 100) * whole : parseFloat(s));
      const [t, r, b, l] = [v[0], v[1] ?? v[0], v[2] ?? v[0], v[3] ?? v[1] ?? v[0]];
      return { x: box.x + px(l, w), y: box.y + px(t, h), r: box.r - px(r, w), b: box.b - px(b, h) };
    }
    if (/^(circle|ellipse)\(0(px|%)?[ )]/.test(style.clipPath)) return { x: box.x, y: box.y, r: box.x, b: box.y };
    if (/^polygon\((?:0(?:px|%)? 0(?:px|%)?(?:, )?)+\)$/.test(style.clipPath)) return { x: box.x, y: box.y, r: box.x, b: box.y };
    const rect = /^rect\(([-\d.]+)px,? ([-\d.]+)px,? ([-\d.]+)px,? ([-\d.]+)px\)$/.exec(style.clip);
    if (rect && /absolute|fixed/.test(style.position)) return { x: box.x + +rect[4], y: box.y + +rect[1], r: box.x + +rect[2], b: box.y + +rect[3] };
    return null;
  };
  // Whether an element is the containing block of fixed descendants; asked only where there is one.
  const holdsFixed = (el, style) => style.transform !== "none" || style.filter !== "none" || style.perspective !== "none"
    || /paint|strict|content/.test(style.contain) || /transform|filter/.test(style.willChange) || (style.backdropFilter ?? "none") !== "none";
  // The clip that holds for a placed element: that of its containing block, not of its parent.
  const placedClip = (position, ctx) => {
    for (let up = ctx; up.el; up = up.parent) {
      if (position === "absolute" && up.position !== "static") return up.clip;
      if (holdsFixed(up.el, up.style)) return up.clip;
    }
    return ctx.outermost;
  };
  // What holds inside an element: where it is clipped, how faint it is, what it is painted on. One object an element, so
  // properties are asked for only where they can matter: style look-ups are most of what a reading costs.
  const contextFor = (el, tag, style, display, parent) => {
    const position = style.position;
    const ctx = { ...parent, parent, el, style, position, unseen: undefined, place: null, order: ++orders, top: false };
    if (HIT) { contexts.set(el, ctx); ctx.inert = parent.inert || hasAttr(el, "inert"); }
    if (tag === "dialog" ? matches(el, ":modal") : hasAttr(el, "popover") && matches(el, ":popover-open"))
      Object.assign(ctx, { clip: parent.outermost, carve: EVERYWHERE, opacity: 1, ground: null, top: true, inert: tag === "dialog" ? false : ctx.inert });
    else if (position === "fixed" || position === "absolute") ctx.clip = crop(placedClip(position, parent), ctx.carve);
    const opacity = style.opacity;
    if (opacity !== "1") ctx.opacity *= parseFloat(opacity);
    const inline = display === "inline" || display === "contents";
    if (style.backgroundImage !== "none") { ctx.ground = null; ctx.textClip = style.webkitBackgroundClip === "text"; }
    else {
      const ground = colour(style.backgroundColor);
      if (ground === null || (ground.a > 0 && ground.a < 1)) ctx.ground = null;
      else if (ground.a === 1) ctx.ground = ground;
    }
    if (inline) return ctx;
    const faded = /opacity\(([\d.]+)(%?)\)/.exec(style.filter);
    if (faded) ctx.opacity *= +faded[1] / (faded[2] ? 100 : 1);
    const overX = style.overflowX, overY = style.overflowY;
    const clips = (overX !== "visible" || overY !== "visible") && tag !== "html" && tag !== "body";
    const carved = style.clipPath !== "none" || (position !== "static" && style.clip !== "auto");
    const contained = style.contain !== "none" && /paint|strict|content/.test(style.contain);
    const border = clips || carved || contained ? quad(boundsOf(el), ctx.at) : null;
    if (clips || contained) {
      const left = border.x + clientLeft(el), top = border.y + clientTop(el);
      const openX = overX === "visible" && !contained, openY = overY === "visible" && !contained;
      ctx.clip = crop(ctx.clip, { x: openX ? -1e9 : left, y: openY ? -1e9 : top,
        r: openX ? 1e9 : left + clientWidth(el), b: openY ? 1e9 : top + clientHeight(el) });
    }
    const cut = carved ? clipPath(style, border) : null;
    // A clip-path cuts everything inside, wherever it is placed.
    if (cut) { ctx.carve = crop(ctx.carve, cut); ctx.clip = crop(ctx.clip, cut); }
    ctx.ellipsis = null;
    if (clips && style.textOverflow !== "clip" && style.textOverflow !== "" && scrollWidth(el) > clientWidth(el)) {
      const left = border.x + clientLeft(el) + parseFloat(style.paddingLeft || 0);
      const right = border.x + clientLeft(el) + clientWidth(el) - parseFloat(style.paddingRight || 0);
      ctx.ellipsis = { box: { x: left, r: right, y: -1e9, b: 1e9 }, mark: widthOf("\u2026", style), rtl: style.direction === "rtl" };
    }
    const lines = clips ? style.webkitLineClamp : "none";
    ctx.clamp = (lines && lines !== "none" && scrollHeight(el) > clientHeight(el) + 1) || (ctx.clamp && display !== "block");
    ctx.blankMatters = !/flex|grid|table$|table-row|table-(header|footer|row)-group/.test(display);
    return ctx;
  };

  // A control's own clipping is that of its inner editor; whether the control is seen is up to what is around it.
  const outerClip = (inner) => (/fixed|absolute/.test(inner.position) ? placedClip(inner.position, inner.parent) : inner.parent.clip);
