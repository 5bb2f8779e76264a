/* Whether something lies over a text. Asked after the walk, of elements where it matters: what covers may come later in the document.
 *
 * The browser's own hit test tells what lies over a point, in the order of painting. It leaves out what takes no pointer
 * events (pointer-events: none, inert, whatever a modal dialog locks out), and it gives a pseudo-element's place as that of its element.
 * Those two are collected during the walk, as candidates, and placed by painting order (paint.js).
 */
  const HIT = options.hit === true;
  const MAX_CANDIDATES = 600;
  const candidates = [];         // { el, which, ctx, box, frame, place, alpha(x, y) }
  const contexts = new Map();    // element -> what holds inside it, of elements that were walked
  const pseudoHosts = new Set(); // elements with a pseudo-element that is placed: a hit on them may be one on that
  const mayCover = (style, tag) => {
    if (style.visibility !== "visible") return false;
    if (REPLACED.test(tag) || style.backgroundImage !== "none") return true;
    const tint = colour(style.backgroundColor);
    return tint === null || byAlpha(tint.a) > 0;
  };
  const addCandidate = (el, tag, ctx, style, frame) => {
    if (candidates.length >= MAX_CANDIDATES || tag === "html" || tag === "body" || !mayCover(style, tag) || ctx.opacity < 0.5) return;
    const box = crop(quad(boundsOf(el), ctx.at), crop(ctx.clip, VIEW));
    if (area(box) <= 0) return;
    candidates.push({ el, which: "", ctx, box, frame, place: groundOf(ctx, REPLACED.test(tag)), alpha: (x, y, under) => veiled(ctx, under, alphaOf(el, x, y, true, opacityOver(ctx, under))) });
  };
  const addPseudoCandidate = (el, which, ctx, style, placed, frame) => {
    if (candidates.length >= MAX_CANDIDATES) return;
    const box = crop(placed.box, crop(placed.clip, VIEW)), opacity = ctx.opacity * parseFloat(style.opacity);
    if (area(box) <= 0 || opacity < 0.5) return;
    const place = placeOf(style, placeIn(ctx), ++orders, holdsItems(ctx.style), style.position, false);
    const own = parseFloat(style.opacity);
    const alpha = (x, y, under) => { const ground = groundAlpha(style, own * opacityOver(ctx, under)); return veiled(ctx, under, placed.rough && ground ? UNSURE : ground); };
    candidates.push({ el, which, ctx, box, frame, place: ownGround(place, style, orders, false), alpha });
  };

  // What holds inside both: of what fades or veils the two together, nothing lies over the one.
  const common = (ctx, under) => {
    const around = new Set();
    for (let c = under; c; c = c.parent) around.add(c);
    let c = ctx;
    while (c && !around.has(c)) c = c.parent;
    return c;
  };
  const opacityOver = (ctx, under) => {
    if (ctx.opacity === 1 || !under) return ctx.opacity;
    const both = common(ctx, under);
    return both && both.opacity > 0 ? Math.min(1, ctx.opacity / both.opacity) : ctx.opacity;
  };
  const veiled = (ctx, under, alpha) => (alpha && ctx.veil && !(under && common(ctx, under)?.veil) ? UNSURE : alpha);

  // One element holds the other, through shadow roots and slots.
  const holds = (outer, el) => { for (let n = el; n; n = parentNode(n) ?? n.host ?? null) if (n === outer) return true; return false; };
  const ownBoxHas = (el, x, y) => {
    for (const r of rectsOf(el)) if (x >= r.left - 0.5 && x <= r.right + 0.5 && y >= r.top - 0.5 && y <= r.bottom + 0.5) return true;
    return localName(el) === "dialog" && matches(el, ":modal");
  };
  // How opaque something is that the hit test found before the element itself, or found although it did not find the element.
  const hitAlpha = (hit, x, y, place, found, under) => {
    if (!ownBoxHas(hit, x, y)) return 0;
    const ctx = contexts.get(hit);
    let alpha = alphaOf(hit, x, y, false, ctx ? opacityOver(ctx, under) : undefined);
    if (!alpha) return 0;
    if (ctx) alpha = veiled(ctx, under, alpha);
    const sure = found && !pseudoHosts.has(hit);
    return sure || !ctx || !place || above(groundOf(ctx, REPLACED.test(localName(hit))), place) ? alpha : 0;
  };
  // Whether the ground of a root or a body is painted where it stands, and not as that of the whole canvas, beneath everything.
  const ownCanvas = (el) => {
    const tag = localName(el);
    if (tag === "html") return false;
    if (tag !== "body") return true;
    const { backgroundColor, backgroundImage } = getComputedStyle(rootElement(documentOf(el)));
    return backgroundImage !== "none" || (colour(backgroundColor)?.a ?? 1) > 0;
  };
  // What the hit test says of a point in the element's own document, through open and closed shadow roots.
  const stackAlpha = (piece, doc, x, y, place) => {
    const el = piece.owner;
    const top = pointTop(doc, x, y);
    if (top === el || (piece.whole && top && holds(el, top))) return 0;
    let worst = 0, stack = pointStack(doc, x, y);
    for (let depth = 0; depth < 12; depth++) {
      let next = null, alpha = 0;
      const found = stack.includes(el);
      for (const hit of stack) {
        if (hit === el || (piece.whole && holds(el, hit))) break;
        if (holds(hit, el)) {
          const shadow = shadowRootOf(hit);
          if (shadow) next = shadowPointStack(shadow, x, y);
          // What is around a text lies beneath it, unless the text was sent behind by its z-index.
          if (!shadow && place && contexts.has(hit) && ownCanvas(hit) && above(groundOf(contexts.get(hit), false), place)) alpha = Math.max(alpha, hitAlpha(hit, x, y, place, found, piece.ctx));
          if (shadow || !place) break;
          continue;
        }
        alpha = Math.max(alpha, hitAlpha(hit, x, y, place, found, piece.ctx));
        if (alpha === 1) return 1;
      }
      worst = Math.max(worst, alpha);
      // Inside a shadow root the stack repeats what is outside; once it names nothing new there is nothing deeper.
      if (!next || next.length === stack.length) break;
      stack = next;
    }
    return worst;
  };
  const candidateAlpha = (x, y, place, frame, at, self, under) => {
    let worst = 0;
    for (const c of candidates) {
      if (c.frame !== frame || x < c.box.x || x > c.box.r || y < c.box.y || y > c.box.b) continue;
      if (!c.which && self && (c.el === self || holds(self, c.el))) continue;
      if (!above(c.place, place)) continue;
      worst = Math.max(worst, c.alpha((x - at.x) / at.s, (y - at.y) / at.s, under));
      if (worst === 1) break;
    }
    return worst;
  };
  // What lies over a frame, at a point of the text inside.
  const frameAlpha = (f, px, py) => {
    const x = (px - f.at.x) / f.at.s, y = (py - f.at.y) / f.at.s, ctx = contexts.get(f.el);
    let worst = 0;
    for (const hit of pointStack(documentOf(f.el), x, y)) {
      if (holds(hit, f.el)) break;
      worst = Math.max(worst, hitAlpha(hit, x, y, null, true, ctx));
    }
    return worst === 1 || !ctx ? worst : Math.max(worst, candidateAlpha(px, py, groundOf(ctx, true), f.frame, f.at, null, ctx));
  };
  // ms: thousands of texts in one paragraph make each hit test slow. Then one point a line is asked, and in the end none: nobody can tell.
  const FEWER_AFTER = 1500, LAST_AFTER = 6000;
  let hitSince = performance.now();
  // { over, veil }: whether at least half of a piece's points lie under something opaque, or under something of which nobody can tell.
  const covered = (piece) => {
    if (piece.covered !== undefined) return piece.covered;
    const spent = performance.now() - hitSince;
    if (spent > LAST_AFTER) return (piece.covered = { over: false, share: 0, veil: true });
    const el = piece.owner, doc = documentOf(el), at = piece.at, place = piece.place ?? (piece.ctx ? [...placeIn(piece.ctx).path, [5, 0, piece.order]] : null);
    let points = 0, over = 0, unsure = 0;
    for (const q of piece.lines.length ? piece.lines : [piece.box]) {
      for (const fx of spent > FEWER_AFTER ? [0.5] : [0.1, 0.5, 0.9]) {
        const px = q.x + (q.r - q.x) * fx, py = (q.y + q.b) / 2, x = (px - at.x) / at.s, y = (py - at.y) / at.s;
        points++;
        let alpha = stackAlpha(piece, doc, x, y, place);
        for (const f of piece.frames) if (alpha < 1) alpha = Math.max(alpha, frameAlpha(f, px, py));
        if (alpha < 1 && place && candidates.length) alpha = Math.max(alpha, candidateAlpha(px, py, place, piece.frame, at, piece.whole ? el : null, piece.ctx));
        if (alpha === 1) over++;
        else if (alpha > 0) unsure++;
      }
    }
    return (piece.covered = { over: over / points >= 0.5, share: over / points, veil: (over + unsure) / points >= 0.5 });
  };

  // Two texts written over one another, of which neither hides the other: of both, nobody can tell what is read there.
  const BAND = 16;
  const overwritten = () => {
    const bands = new Map();
    const each = (piece, ask) => {
      for (const q of piece.lines) {
        const h = q.b - q.y, strip = { x: q.x, y: q.y + 0.25 * h, r: q.r, b: q.b - 0.25 * h };
        for (let band = Math.floor(strip.y / BAND); band <= Math.floor(strip.b / BAND); band++) ask(band, strip);
      }
    };
    for (const piece of pieces) if (piece.seen) each(piece, (band, strip) => { if (bands.has(band)) bands.get(band).push({ piece, strip }); else bands.set(band, [{ piece, strip }]); });
    return (piece) => {
      let found = false;
      each(piece, (band, strip) => {
        const rest = bands.get(band) ?? [];
        if (found || rest.length > 300) return;
        for (const other of rest) {
          if (other.piece === piece || other.piece.text === piece.text) continue;
          const both = area(crop(strip, other.strip));
          if (both > 0.3 * Math.min(area(strip), area(other.strip)) && both > 0.1 * area(strip) && !covered(other.piece).over) { found = true; return; }
        }
      });
      return found;
    };
  };

  // Elements to ask this of, in the order of the walk.
  const toHit = [];
  const hitTest = () => {
    hitSince = performance.now();
    const written = overwritten();
    for (const { e, f, el, box, frames } of toHit) {
      const asked = [];
      for (let i = f.start; i < f.end; i++) if (pieces[i].seen && pieces[i].frame === f.frame) asked.push(pieces[i]);
      if (!asked.length && box) {
        const place = REPLACED.test(localName(el)) ? groundOf(f.inner, true) : [...placeIn(f.inner).path, [5, 0, f.inner.order]];
        asked.push({ owner: el, ctx: f.inner, whole: true, box: crop(box, VIEW), lines: [], at: f.inner.at, frames, frame: f.frame, place });
      }
      let over = 0, veil = 0;
      // A piece that is covered in part is no piece that is seen.
      for (const piece of asked) { const c = covered(piece); over += c.over ? 1 : c.share; if (!c.over && (c.veil || written(piece))) veil++; }
      if (over) e.cov = round(over / asked.length);
      if (veil) (e.g ??= {}).veil = 1;
      const lines = linesOf(f);
      if (lines.length) e.ln = lines;
    }
  };
