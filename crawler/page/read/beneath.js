/* What a text is painted on, where that is not what is around it: a picture or a box beside it that lies beneath it. */
  const MAX_ASKED = 300;   // texts of one reading; the rest keeps the ground of what is around it
  let groundsAsked = 0;
  // null: nothing there; true: a ground nobody can name; else its colour.
  const groundIn = (el, style, ctx) => {
    if (style.visibility !== "visible" || parseFloat(style.opacity) < 0.3) return null;
    if (REPLACED.test(localName(el)) || style.backgroundImage !== "none") return true;
    const c = tinted(colour(style.backgroundColor), ctx.filters);
    return c === null ? true : c.a < 0.3 ? null : c.a < 0.99 ? true : c;
  };
  const hasPoint = (r, x, y) => x >= r.left && x <= r.right && y >= r.top && y <= r.bottom;
  // Boxes beside the text that the hit test leaves out, and pseudo-elements: both only of what is around it.
  const passiveGround = (el, owner, x, y, ctx) => {
    for (const which of ["::before", "::after"]) {
      const style = getComputedStyle(el, which);
      if (style.content !== "none" && style.content !== "normal" && /absolute|fixed/.test(style.position)) { const c = groundIn(el, style, ctx); if (c) return c; }
    }
    for (const child of Array.prototype.slice.call(childNodes(el), 0, 40)) {
      if (nodeType(child) !== 1 || holds(child, owner) || !hasPoint(boundsOf(child), x, y)) continue;
      const style = getComputedStyle(child);
      if (style.pointerEvents !== "none" || style.display === "none") continue;
      const c = groundIn(child, style, ctx) ?? (Element.prototype.querySelector.call(child, "img,video,canvas,picture,svg") ? true : null);
      if (c) return c;
    }
    return null;
  };
  // Whether a text that has the colour of what is around it lies on something else, in the middle of its first line.
  const onAnotherGround = (rects, style, ctx) => {
    const q = rects.map((r) => crop(r, crop(ctx.clip, VIEW))).find((r) => area(r) > 0);
    if (!q || !ctx.ground || ++groundsAsked > MAX_ASKED) return false;
    const x = ((q.x + q.r) / 2 - ctx.at.x) / ctx.at.s, y = ((q.y + q.b) / 2 - ctx.at.y) / ctx.at.s, fill = fillOf(style, ctx);
    const stack = pointStack(documentOf(owner), x, y);
    for (const hit of stack.slice(stack.indexOf(owner) + 1)) {
      const own = getComputedStyle(hit), around = holds(hit, owner);
      const ground = groundIn(hit, own, ctx);
      if (!around && ground) return ground === true || !close(fill, ground);
      if (!around) continue;
      const passive = passiveGround(hit, owner, x, y, ctx);
      if (passive) return passive === true || !close(fill, passive);
      if (ground) return false;
    }
    return false;
  };
  const unseenOn = (rects, style, ctx) => {
    const why = unseen(style, ctx);
    return why === "same-colour" && onAnotherGround(rects, style, ctx) ? "" : why;
  };
