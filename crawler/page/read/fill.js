/* What the pieces of an element say together. */
  // Smaller and higher, at the end of what is before: cents, a power, the number of a note. "$19" and "99" are no 1999.
  const raised = (p, q) => q.b - q.y < 0.85 * (p.b - p.y) && q.b < p.b - 0.2 * (p.b - p.y) && q.b > p.y && q.x >= p.r - 1;
  // Two pieces side by side with room between them read as two words, whatever makes the room. Digits are left together:
  // those of one number may stand apart in elements of their own.
  const apart = (a, b, text) => {
    const p = a && a.lines[a.lines.length - 1], q = b.lines[0];
    if (!p || !q) return "";
    if (/\p{N}$/u.test(text) && /^\p{N}/u.test(b.text)) return raised(p, q) ? " " : "";
    if (Math.min(p.b, q.b) - Math.max(p.y, q.y) < 0.4 * (q.b - q.y)) return "";
    return q.x - p.r > 0.2 * Math.min(p.b - p.y, q.b - q.y) || p.x - q.r > 0.2 * Math.min(p.b - p.y, q.b - q.y) ? " " : "";
  };

  const LETTER = /^\p{L}\p{M}*$/u;
  // What stands between two pieces: boxes that are set side by side, as an odometer's digits are, make no new line.
  const between = (a, b, text) => {
    const p = a && a.lines[a.lines.length - 1], q = b.lines[0];
    const digits = /\p{N}$/u.test(text) && /^\p{N}$/u.test(b.text);
    const beside = p && q && Math.min(p.b, q.b) - Math.max(p.y, q.y) > 0.6 * Math.min(p.b - p.y, q.b - q.y) && q.x >= p.r - 1;
    if (b.before === "\n" && digits && beside && q.x - p.r < 0.35 * (q.b - q.y)) return "";
    // A headline whose letters have a box each, to be moved one by one: letter to letter without room is one word.
    const letters = a && LETTER.test(a.text) && LETTER.test(b.text);
    if (b.before && letters && beside && q.x - p.r < 0.12 * (q.b - q.y)) return "";
    return b.before || (a?.trails && !digits ? " " : apart(a, b, text));
  };
  // The pieces of an element in the order in which they are seen: a reversed or reordered row reads as it is laid out.
  const inSight = (f) => {
    const own = pieces.slice(f.start, f.end);
    if (own.length < 2 || own.length > 40 || f.style.direction === "rtl") return own;
    const same = (a, b) => Math.min(a.b, b.b) - Math.max(a.y, b.y) > 0.6 * Math.min(a.b - a.y, b.b - b.y);
    const seen = own.filter((p) => p.seen && p.box && p.frame === f.frame && p.lines.length === 1 && !RTL.test(p.text));
    let moved = false;
    for (let i = 1; i < seen.length && !moved; i++) {
      const a = seen[i - 1].box, b = seen[i].box;
      moved = same(a, b) ? b.r <= a.x + 1 : b.b <= a.y + 1 && b.r > a.x && b.x < a.r;
    }
    if (!moved) return own;
    const placed = [...seen].sort((p, q) => (same(p.box, q.box) ? p.box.x - q.box.x : p.box.y - q.box.y));
    return own.map((p) => (seen.includes(p) ? placed[seen.indexOf(p)] : p));
  };
  const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

  const fill = (e, el, tag, f) => {
    let last = null;
    let text = "", seenBox = null, why = "", seen = 0, cut = false, partial = false, icons = 0, meant = 0, unknown = false, veil = false, line = true, hidden = 0;
    for (const p of inSight(f)) {
      if (p.frame !== f.frame) continue;
      if (p !== pieces[f.start] && p.before === "\n") line = false;
      if (p.icon) icons++;
      if (p.why === "counter") unknown = true;
      if (!p.seen) { if (p.why !== "icon") { hidden++; why ||= p.why; } continue; }
      if (text.length < options.maxText) text += (text ? between(last, p, text) : "") + p.text;
      last = p;
      seen++;
      if (p.meant) meant++;
      cut ||= p.cut; partial ||= p.partial; veil ||= p.veil === true;
      if (p.box) seenBox = join(seenBox, p.box);
      
    }
    // Words below the fold: what is seen is not the whole value.
    if (seen && hidden) for (let i = f.start; i < f.end; i++) if (pieces[i].why === "off-viewport" && pieces[i].frame === f.frame) partial = true;
    const box = f.box && !(seenBox && area(crop(f.box, VIEW)) === 0) ? f.box : seenBox;
    e.x = well(text.length > options.maxText ? text.slice(0, options.maxText) : text);
    e.b = box ? [round(box.x), round(box.y), round(box.r - box.x), round(box.b - box.y)] : null;
    if (seenBox) e.tb = [round(seenBox.x), round(seenBox.y), round(seenBox.r - seenBox.x), round(seenBox.b - seenBox.y)];
    if (seen) e.v = "";
    else if (f.skipInside) e.v = "not-rendered";
    else if (hidden) e.v = why;
    else {
      // No text at all: is the element itself to be seen (a checkbox, an icon)?
      const w = !box || area(box) === 0 ? "zero-size" : f.style.visibility !== "visible" ? "hidden" : f.inner.opacity < 0.06 ? "transparent"
        : area(crop(box, VIEW)) === 0 ? "off-viewport" : area(crop(box, crop(f.inner.clip, VIEW))) < 0.3 * area(crop(box, VIEW)) && area(crop(f.inner.clip, VIEW)) < area(crop(box, VIEW)) ? "clipped" : "";
      e.v = w;
    }
    if (f.state) e.l = told(f.state);
    if (!LIGHT) {
      const flags = {};
      if (cut) flags.cut = 1;
      if (partial) flags.partial = 1;
      if (icons) flags.icons = icons;
      if (meant && meant === seen) flags.meant = 1;
      if (unknown) flags.unknown = 1;
      if (veil || (!seen && f.inner.veil)) flags.veil = 1;
      if (f.hint) flags.hint = 1;
      if (f.ownText) flags.own = 1;
      if (line) flags.line = 1;
      if (f.focusable) flags.focusable = f.focusable;
      if (text.length > options.maxText) flags.long = 1;
      if (Object.keys(flags).length) e.g = flags;
    } else if (partial) e.g = { partial: 1 };
    if (options.html) {
      if (e.v === "") served.served.set(e.k, e.x);
      if (e.v === "" && (f.ownText || f.control)) served.raw.set(e.k, heldText(el));
    }
    else if (options.hit && e.v === "" && (f.named || served.served.get(e.k) !== e.x || (f.state && f.state.served !== f.state.live))) {
      toHit.push({ e, f, el, box, frames: frameStack });
    }
  };
