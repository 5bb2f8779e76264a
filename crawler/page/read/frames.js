/* Documents of frames that this process holds. */
  // Whether a box is turned, mirrored or skewed, by itself or with what is around it.
  const turned = (ctx) => {
    let matrix = new DOMMatrix();
    for (let c = ctx; c && c.el; c = c.parent) {
      if (c.style.transform !== "none") matrix = new DOMMatrix(c.style.transform).multiply(matrix);
      if (c.style.rotate !== "none" || /-/.test(c.style.scale)) return true;
    }
    return !matrix.is2D || Math.abs(matrix.b) > 0.01 || Math.abs(matrix.c) > 0.01 || matrix.a <= 0 || matrix.d <= 0;
  };
  const readFrame = (el, path, ctx, parentIndex, frame, box) => {
    let doc = null;
    try { doc = localName(el) === "iframe" ? frameDocument(el) : el.contentDocument ?? null; } catch { doc = null; }
    const inside = doc && rootElement(doc);
    const src = attr(el, "src") ?? attr(el, "data") ?? "";
    const url = inside ? doc.URL : src;
    // A rotated or skewed frame has no boxes that are rectangles on the screen.
    const width = offsetWidth(el), height = offsetHeight(el);
    if (turned(ctx) || (width > 0 && height > 0 && Math.abs((box.r - box.x) / width - (box.b - box.y) / height) > 0.02)) {
      out.frames.push({ url, read: false, reason: "rotated or skewed" });
      return;
    }
    const style = getComputedStyle(el);
    const s = width > 0 ? (box.r - box.x) / width : ctx.at.s;
    const at = { x: box.x + (clientLeft(el) + parseFloat(style.paddingLeft || 0)) * s, y: box.y + (clientTop(el) + parseFloat(style.paddingTop || 0)) * s, s };
    const right = box.x + (clientLeft(el) + clientWidth(el) - parseFloat(style.paddingRight || 0)) * s;
    const bottom = box.y + (clientTop(el) + clientHeight(el) - parseFloat(style.paddingBottom || 0)) * s;
    const clip = crop(crop(ctx.clip, VIEW), { x: at.x, y: at.y, r: right, b: bottom });
    if (!inside) {
      // Where it is and how it can be found: the caller reads it in its own process, with the same script.
      const k = keyOf(el);
      memory.nodes.set(k, el);
      const around = [...frameStack, { el, at: ctx.at, frame }];
      memory.frames.set(k, { at, over: (x, y) => around.reduce((worst, f) => Math.max(worst, frameAlpha(f, x, y)), 0) });
      const shown = style.visibility === "visible" && ctx.opacity >= 0.06 ? [round(clip.x), round(clip.y), round(clip.r - clip.x), round(clip.b - clip.y)] : null;
      out.frames.push({ url, read: false, reason: "other process", k, s: path, at: [round(at.x), round(at.y), s], clip: shown && shown[2] > 0 && shown[3] > 0 ? shown : null });
      return;
    }
    const number = out.frames.length + 1;
    out.frames.push({ url, read: true, reason: "" });
    gapAtLeast("\n");
    const outside = frameNow;
    frameNow = number;
    const around = frameStack;
    frameStack = [...frameStack, { el, at: ctx.at, frame }];
    // A frame that is not drawn draws nothing of its document, whatever that says.
    visit(inside, `${path} >>> html`, { ...ctx, opacity: style.visibility === "visible" ? ctx.opacity : 0, at, clip, carve: clip, outermost: clip, parent: null, el: null, place: null, inert: false, ellipsis: null, clamp: false, ground: null, stops: null, shapes: null, textClip: false, blankMatters: true }, parentIndex, number);
    // A frame's text is its own: neither the frame element nor what is around it says it.
    frameNow = outside;
    frameStack = around;
    gapAtLeast("\n");
  };
