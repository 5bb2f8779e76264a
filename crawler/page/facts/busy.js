/* What turns, pulses or says that it waits: running animations without an end, progress bars, busy regions, skeletons. */
  const BUSY = '[aria-busy="true"], [role="progressbar"], progress, [class*="spin" i], [class*="loader" i], [class*="loading" i], [class*="skelet" i], [class*="shimmer" i], [class*="placeholder" i], [id*="loading" i], [id*="spinner" i], [id*="loader" i], [id*="splash" i], animateTransform, animate, img[src*="load" i], img[src*="spin" i], [aria-label*="loading" i]';
  const busy = [], known = new Set();
  const addBusy = (el, kind, origin, animation = "") => {
    if (busy.length >= 150) return;
    const seen = shownBox(el, origin);
    if (!seen) return;
    const text = short(contentOf(el), 120);
    busy.push({
      kind, animation: short(animation, 80), tag: localName(el), marks: short(`${attr(el, "id") ?? ""} ${attr(el, "class") ?? ""}`, 200), box: seen, text,
      value: hasAttr(el, "value") || hasAttr(el, "aria-valuenow"), media: Boolean(elementQuery(el, "img, video, canvas, iframe")),
      top: onTop(el, seen), ground: groundOf(el, origin),
    });
    known.add(el);
  };
  const groundOf = (el, origin) => {
    let up = parentOf(el);
    while (up && hitKind(up).alpha < 0.5) up = parentOf(up);
    return up ? cut(boundsOf(up), origin) : null;
  };
  // Not under something else: what is hit at its middle is in it, around it, or see-through.
  const onTop = (el, box) => {
    const hit = hitAt(Math.min(W - 1, box.x + box.width / 2), Math.min(H - 1, box.y + box.height / 2));
    if (!hit || hit === el || within(el, hit) || within(hit, el)) return true;
    for (let up = hit; up && !within(up, el); up = parentOf(up)) if (hitKind(up).alpha >= 0.9 && up !== el) return parentOf(up) === parentOf(el);
    return true;
  };
  for (const [index, doc] of documents.entries()) {
    const place = index ? [...inner.values()].find((f) => f.document === doc).at : ORIGIN;
    for (const animation of animationsOf(doc)) {
      const effect = animation.effect, target = effect?.target;
      if (!target || known.has(target) || busy.length >= 100 || animation.playState !== "running") continue;
      if (effect.getTiming().iterations === Infinity) addBusy(target, "animation", place, animation.animationName ?? animation.id);
    }
  }
  const KINDS_OF_BUSY = [["busy", '[aria-busy="true"]'], ["progress", 'progress, [role="progressbar"]'], ["skeleton", '[class*="skelet" i], [class*="shimmer" i], [class*="placeholder" i]']];
  for (const scope of scopes) {
    for (const el of scope.all(BUSY)) {
      if (busy.length >= 150) break;
      if (known.has(el)) continue;
      const name = localName(el);
      if (name === "animatetransform" || name === "animateTransform" || name === "animate") {
        const drawn = closest(el, "svg");
        if (attr(el, "repeatCount") === "indefinite" && drawn && !known.has(drawn)) addBusy(drawn, "animation", scope.at, "smil");
      } else if (name === "img") {
        if (/(load|spin|wait|progress)[^/]*\.(gif|svg|webp|apng)/i.test(attr(el, "src") ?? "")) addBusy(el, "image", scope.at);
      } else if (name !== "input" && name !== "textarea" && name !== "script" && name !== "body" && name !== "html") {
        addBusy(el, KINDS_OF_BUSY.find(([, selector]) => matches(el, selector))?.[0] ?? "named", scope.at);
      } else if ((name === "body" || name === "html") && attr(el, "aria-busy") === "true") addBusy(el, "busy", scope.at);
    }
  }
