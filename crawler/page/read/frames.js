/* Documents of frames that this process holds. */
  const readFrame = (el, path, ctx, parentIndex, frame, box) => {
    let doc = null;
    try { doc = localName(el) === "iframe" ? frameDocument(el) : el.contentDocument ?? null; } catch { doc = null; }
    const inside = doc && rootElement(doc);
    const src = attr(el, "src") ?? attr(el, "data") ?? "";
    if (!inside) { out.frames.push({ url: src, read: false, reason: "other process" }); return; }
    // A rotated or skewed frame has no boxes that are rectangles on the screen.
    const width = offsetWidth(el), height = offsetHeight(el);
    if (width > 0 && height > 0 && Math.abs((box.r - box.x) / width - (box.b - box.y) / height) > 0.02) {
      out.frames.push({ url: doc.URL, read: false, reason: "rotated or skewed" });
      return;
    }
    const number = out.frames.length + 1;
    out.frames.push({ url: doc.URL, read: true, reason: "" });
    const style = getComputedStyle(el);
    const s = width > 0 ? (box.r - box.x) / width : ctx.at.s;
    const at = { x: box.x + (clientLeft(el) + parseFloat(style.paddingLeft || 0)) * s, y: box.y + (clientTop(el) + parseFloat(style.paddingTop || 0)) * s, s };
    const clip = crop(crop(ctx.clip, VIEW), { x: at.x, y: at.y, r: at.x + clientWidth(el) * s, b: at.y + clientHeight(el) * s });
    gapAtLeast("\n");
    const outside = frameNow;
    frameNow = number;
    const around = frameStack;
    frameStack = [...frameStack, { el, at: ctx.at }];
    visit(inside, `${path} >>> html`, { ...ctx, at, clip, carve: clip, outermost: clip, parent: null, el: null, ellipsis: null, clamp: false, ground: null, textClip: false, blankMatters: true }, parentIndex, number);
    // A frame's text is its own: neither the frame element nor what is around it says it.
    frameNow = outside;
    frameStack = around;
    gapAtLeast("\n");
  };
