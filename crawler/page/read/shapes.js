/* clip-path and clip: as a rectangle where they are one, else as a path that points can be asked of. */
  // A length of a basic shape in px: px and per cent alone or in a plain sum; NaN for anything else.
  const lengthIn = (css, whole) => {
    const sum = /^calc\(([-\d.]+)% ([-+]) ([-\d.]+)px\)$/.exec(css);
    if (sum) return (+sum[1] / 100) * whole + (sum[2] === "-" ? -1 : 1) * +sum[3];
    const m = /^([-\d.]+(?:e-?\d+)?)(px|%)?$/.exec(css);
    return m ? (m[2] === "%" ? (+m[1] / 100) * whole : +m[1]) : NaN;
  };
  const wordsOf = (css) => css.match(/calc\([^()]*\)|[^\s,]+/g) ?? [];
  const radiusIn = (css, at, size, other) => {
    if (css === "closest-side") return Math.min(at, size - at);
    if (css === "farthest-side") return Math.max(at, size - at);
    return lengthIn(css, other ?? size);
  };
  const centre = (css, w, h) => {
    const place = (word, whole) => ({ left: 0, top: 0, center: whole / 2, right: whole, bottom: whole })[word] ?? lengthIn(word, whole);
    const [x, y] = wordsOf(css || "50% 50%");
    return [place(x, w), place(y ?? "50%", h)];
  };
  const PATH_BUILDERS = {
    inset: (css, w, h) => {
      const v = wordsOf(css.replace(/ round .*/s, ""));
      const [t, r, b, l] = [v[0], v[1] ?? v[0], v[2] ?? v[0], v[3] ?? v[1] ?? v[0]];
      const x = lengthIn(l, w), y = lengthIn(t, h);
      return { rect: [x, y, w - x - lengthIn(r, w), h - y - lengthIn(b, h)] };
    },
    rect: (css, w, h) => {
      const [t, r, b, l] = wordsOf(css.replace(/ round .*/s, ""));
      const x = l === "auto" ? 0 : lengthIn(l, w), y = t === "auto" ? 0 : lengthIn(t, h);
      return { rect: [x, y, (r === "auto" ? w : lengthIn(r, w)) - x, (b === "auto" ? h : lengthIn(b, h)) - y] };
    },
    xywh: (css, w, h) => { const [x, y, ww, hh] = wordsOf(css.replace(/ round .*/s, "")); return { rect: [lengthIn(x, w), lengthIn(y, h), lengthIn(ww, w), lengthIn(hh, h)] }; },
    circle: (css, w, h) => {
      const [radius, at] = css.split(/\s*\bat\b\s*/), [x, y] = centre(at, w, h);
      const named = (radius || "closest-side").trim();
      const sides = [x, w - x, y, h - y];
      const r = named === "closest-side" ? Math.min(...sides) : named === "farthest-side" ? Math.max(...sides) : lengthIn(named, Math.hypot(w, h) / Math.SQRT2);
      const path = new Path2D();
      path.arc(x, y, Math.max(0, r), 0, 7);
      return { path, sure: r + x + y };
    },
    ellipse: (css, w, h) => {
      const [radii, at] = css.split(/\s*\bat\b\s*/), [x, y] = centre(at, w, h), [a, b] = wordsOf(radii || "closest-side closest-side");
      const rx = radiusIn(a, x, w), ry = radiusIn(b ?? a, y, h), path = new Path2D();
      path.ellipse(x, y, Math.max(0, rx), Math.max(0, ry), 0, 0, 7);
      return { path, sure: rx + ry + x + y };
    },
    polygon: (css, w, h) => {
      const rule = /^evenodd/.test(css) ? "evenodd" : "nonzero", path = new Path2D();
      let sure = 0;
      css.replace(/^(evenodd|nonzero)\s*,\s*/, "").split(/\s*,\s*(?![^(]*\))/).forEach((point, i) => {
        const [px, py] = wordsOf(point), x = lengthIn(px, w), y = lengthIn(py ?? "", h);
        sure += x + y;
        if (i) path.lineTo(x, y); else path.moveTo(x, y);
      });
      return { path, rule, sure };
    },
    path: (css) => {
      const [, evenodd, d] = /^(evenodd\s*,\s*)?(?:nonzero\s*,\s*)?"(.*)"$/s.exec(css) ?? [];
      return d === undefined ? { sure: NaN } : { path: new Path2D(d), rule: evenodd ? "evenodd" : "nonzero", sure: 0 };
    },
  };
  // { cut: box } for a rectangle, { inside: (x, y) => bool } for a path, { unknown: true }, or null where nothing is cut. border: the border box.
  const clipShape = (style, border, k) => {
    const rect = /^rect\((.*)\)$/.exec(style.clip);
    let cut = null;
    if (rect && /absolute|fixed/.test(style.position)) {
      const [t, r, b, l] = wordsOf(rect[1]).map((v) => (v === "auto" ? null : parseFloat(v)));
      cut = { x: l === null ? -1e9 : border.x + l * k, y: t === null ? -1e9 : border.y + t * k, r: r === null ? 1e9 : border.x + r * k, b: b === null ? 1e9 : border.y + b * k };
    }
    const said = style.clipPath;
    if (!said || said === "none") return cut && { cut };
    const m = /^(?:[-\w]+-box )?([a-z]+)\((.*)\)(?: [-\w]+-box)?$/s.exec(said);
    if (!m) return /^[-\w]+-box$/.test(said) ? cut && { cut } : { cut, unknown: true };
    const w = (border.r - border.x) / k, h = (border.b - border.y) / k;
    let made = null;
    try { made = PATH_BUILDERS[m[1]]?.(m[2], w, h); } catch { made = null; }
    if (made?.rect && made.rect.every(Number.isFinite)) {
      const [x, y, ww, hh] = made.rect;
      const shape = { x: border.x + x * k, y: border.y + y * k, r: border.x + (x + Math.max(0, ww)) * k, b: border.y + (y + Math.max(0, hh)) * k };
      return { cut: cut ? crop(cut, shape) : shape };
    }
    if (!made?.path || !Number.isFinite(made.sure)) return { cut, unknown: true };
    return { cut: cut ? crop(cut, border) : null, inside: (x, y) => ruler().isPointInPath(made.path, (x - border.x) / k, (y - border.y) / k, made.rule ?? "nonzero") };
  };
  // The share of points along the lines of a text that a list of shapes leaves to be seen.
  const shareInside = (rects, shapes) => {
    let points = 0, seen = 0;
    for (const q of rects) for (const fx of [0.05, 0.25, 0.5, 0.75, 0.95]) {
      points++;
      if (shapes.every((shape) => shape(q.x + (q.r - q.x) * fx, (q.y + q.b) / 2))) seen++;
    }
    return points ? seen / points : 0;
  };
