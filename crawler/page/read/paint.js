/* What is painted over what: the painting order of CSS 2.1, appendix E, with what later modules add to stacking contexts.
 *
 * A place in that order is a list of [level, z-index, tree order], from the root's stacking context inwards; the later of two
 * in the order of such lists is painted above. Levels: 0 an own background, 1 negative z-index, 3 blocks, 4 floats, 5 inline
 * content and what is painted like it, 6 positioned and z-index 0, 7 positive z-index, 9 the top layer.
 */
  // boxed: whether it is more than a run of inline text, which nothing transforms and nothing contains.
  const stacksBy = (style, opacity, boxed) => opacity !== "1" || style.filter !== "none" || style.clipPath !== "none" || style.mixBlendMode !== "normal"
    || style.isolation === "isolate" || (style.maskImage ?? "none") !== "none" || (boxed && stacksAsBox(style));
  const stacksAsBox = (style) => style.transform !== "none" || style.perspective !== "none" || style.scale !== "none" || style.rotate !== "none" || style.translate !== "none" || (style.backdropFilter ?? "none") !== "none"
    || /opacity|transform|filter|perspective|z-index|position|scale|rotate|translate/.test(style.willChange) || /paint|layout|strict|content/.test(style.contain);
  const ROOT_PLACE = { path: [], real: [] };
  // path: where the inside of a box is painted; real: the nearest true stacking context, where what is positioned inside belongs.
  const placeOf = (style, base, order, inFlex, position, top, boxed = true) => {
    if (top) { const path = [[9, 0, order]]; return { path, real: path, own: true }; }
    const z = style.zIndex, positioned = position !== "static";
    if ((z !== "auto" && (positioned || inFlex)) || position === "fixed" || position === "sticky" || stacksBy(style, style.opacity, boxed)) {
      const n = z === "auto" || !(positioned || inFlex) ? 0 : parseInt(z, 10);
      const path = [...base.real, [n < 0 ? 1 : n > 0 ? 7 : 6, n, order]];
      return { path, real: path, own: true };
    }
    if (positioned) return { path: [...base.real, [6, 0, order]], real: base.real, own: true };
    if (style.float !== "none" && !inFlex) return { path: [...base.path, [4, 0, order]], real: base.real, own: true };
    if (inFlex || /^inline-(block|flex|grid|table)$/.test(style.display)) return { path: [...base.path, [5, 0, order]], real: base.real, own: true };
    return { path: base.path, real: base.real, own: false };
  };
  const holdsItems = (style) => /flex|grid/.test(style.display);
  const placeIn = (ctx) => {
    if (ctx.place) return ctx.place;
    const up = ctx.parent;
    if (!ctx.el || !up || !up.el) return (ctx.place = ROOT_PLACE);
    return (ctx.place = placeOf(ctx.style, placeIn(up), ctx.order, holdsItems(up.style), ctx.position, ctx.top, ctx.style.display !== "inline" || ctx.svg || REPLACED.test(localName(ctx.el))));
  };
  const ownGround = (place, style, order, replaced) => [...place.path, place.own && !replaced ? [0, 0, 0] : [replaced || /^inline/.test(style.display) ? 5 : 3, 0, order]];
  const groundOf = (ctx, replaced) => ownGround(placeIn(ctx), ctx.style, ctx.order, replaced);
  // Whether the first place is painted above the second.
  const above = (a, b) => {
    for (let i = 0; i < a.length && i < b.length; i++) {
      for (let j = 0; j < 3; j++) if (a[i][j] !== b[i][j]) return a[i][j] > b[i][j];
    }
    return a.length > b.length;
  };
