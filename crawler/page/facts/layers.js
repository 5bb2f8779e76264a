/* What lies on top: a grid of points over the viewport, the layers hit there, and which texts something lies over. */
  const COLUMNS = 12, ROWS = 9;
  const layers = [], layerOf = new Map(), hitFacts = new Map();
  const alphaOf = (css) => {
    const m = /^rgba?\([\d.]+[, ]+[\d.]+[, ]+[\d.]+(?:[,/ ]+([\d.]+))?\)$/.exec(css);
    return m ? (m[1] === undefined ? 1 : +m[1]) : css === "transparent" || !css ? 0 : 1;
  };
  const MEDIA = new Set(["img", "svg", "canvas", "video", "picture", "object", "embed", "map", "area"]);
  const CONTROLS = new Set(["input", "textarea", "select", "button", "progress", "meter"]);
  // What an element shows of its own at a point where no text of it is.
  const hitKind = (el) => {
    let facts = hitFacts.get(el);
    if (facts) return facts;
    const name = localName(el), style = getComputedStyle(el);
    const image = style.backgroundImage;
    let kind = ".";
    if (MEDIA.has(name) || el instanceof SVGElement || /url\(/.test(image)) kind = "m";
    else if (name === "iframe") kind = inner.has(el) ? "." : "f";
    else if (CONTROLS.has(name)) kind = "c";
    else if (!firstChild(el) && !/\S/.test(contentOf(el)) && (alphaOf(style.backgroundColor) > 0.03 || /gradient/.test(image))) {
      const rect = boundsOf(el);
      if (rect.width * rect.height < 0.5 * W * H) kind = "p";
    }
    facts = { kind, alpha: kind === "m" || kind === "f" || /gradient|url/.test(image) ? 1 : alphaOf(style.backgroundColor) };
    hitFacts.set(el, facts);
    return facts;
  };
  const positioned = new Map();
  const isLayer = (el, style) => {
    const name = localName(el);
    if (name === "dialog") return hasAttr(el, "open");
    if (style.position === "fixed" || style.position === "sticky") return true;
    if (style.position === "absolute") {
      if (+style.zIndex > 0) return true;
      const rect = boundsOf(el);
      return rect.width * rect.height > 0.2 * W * H;
    }
    return hasAttr(el, "aria-modal") || attr(el, "role") === "dialog" || attr(el, "role") === "alertdialog";
  };
  const CONSENT = '[id*="cookie" i], [class*="cookie" i], [id*="consent" i], [class*="consent" i], [id*="gdpr" i], [aria-label*="cookie" i], [aria-label*="consent" i]';
  const describe = (el, position, box, dim) => {
    const ids = [];
    for (let up = el, depth = 0; up && depth < 5; up = parentOf(up), depth++) ids.push(`${attr(up, "id") ?? ""} ${attr(up, "class") ?? ""}`);
    layers.push({
      tag: localName(el), id: short(attr(el, "id"), 200), marks: short(ids.join(" "), 600), role: short(attr(el, "role"), 40),
      label: short(attr(el, "aria-label"), 200), modal: hasAttr(el, "aria-modal") || (localName(el) === "dialog" && matches(el, ":modal")),
      position, box, points: 0, alpha: dim, backdrop: null, inside: -1, main: Boolean(elementQuery(el, "main, article, nav, [role=main], [role=navigation], h1 ~ h2")),
    });
    layerOf.set(el, layers.length - 1);
    return layers.length - 1;
  };
  // The layers an element is in, innermost first, as indices.
  const layersOver = (el) => {
    const chain = [];
    for (let up = el; up; up = parentOf(up)) {
      let index = layerOf.get(up);
      if (index === undefined && !positioned.has(up)) {
        const style = getComputedStyle(up);
        const is = layers.length < 80 && isLayer(up, style);
        positioned.set(up, is);
        if (is) {
          const dialog = localName(up) === "dialog";
          index = describe(up, dialog ? "fixed" : style.position, cut(boundsOf(up), ORIGIN), round(hitKind(up).alpha * +style.opacity));
          if (dialog && matches(up, ":modal")) layers[index].backdrop = alphaOf(getComputedStyle(up, "::backdrop").backgroundColor);
        }
      }
      if (index !== undefined) chain.push(index);
    }
    for (let i = 0; i + 1 < chain.length; i++) layers[chain[i]].inside = chain[i + 1];
    return chain;
  };
  const rows = [];
  for (let row = 0; row < ROWS; row++) {
    let line = "";
    for (let column = 0; column < COLUMNS; column++) {
      const x = ((column + 0.5) * W) / COLUMNS, y = ((row + 0.5) * H) / ROWS;
      const hit = hitAt(x, y);
      if (!hit) { line += "."; continue; }
      for (const index of layersOver(hit)) layers[index].points += 1;
      const block = byElement.get(hit);
      const b = block?.box;
      line += b && x >= b.x && x <= b.x + b.width && y >= b.y && y <= b.y + b.height ? "t" : hitKind(hit).kind;
    }
    rows.push(line);
  }
  // What calls itself a cookie banner without lying over anything: it stands in the page.
  let candidates = 0;
  for (const scope of scopes) {
    for (const el of scope.all(CONSENT)) {
      if (candidates >= 40 || layers.length >= 100) break;
      if (layerOf.has(el) || NO_TEXT.has(localName(el)) || el === rootElement(document) || el === bodyOf(document) || CONTROLS.has(localName(el))) continue;
      const box = shownBox(el, scope.at);
      if (!box || box.width < 150 || box.height < 24) continue;
      candidates += 1;
      const inside = layersOver(el);
      const index = describe(el, "static", box, 0);
      layers[index].inside = inside[0] ?? -1;
    }
  }
  if (chars.truncated) {
    for (const [el, index] of [...layerOf]) {
      const { position, points, main } = layers[index];
      if (!main && points && (position === "fixed" || position === "sticky")) readLayer(el);
    }
  }
  // How far the texts on the viewport are covered: the strongest ground of what is hit at their middle, 0 to 1.
  const layersOn = (block) => {
    const own = new Set();
    for (let index = block.layer; index >= 0; index = layers[index].inside) own.add(index);
    const { x, y, width, height } = block.box;
    return layers.some(({ box, position, points }, index) => points && position !== "static" && !own.has(index)
      && (!box || (box.x < x + width && box.x + box.width > x && box.y < y + height && box.y + box.height > y)));
  };
  for (const [el, block] of byElement) {
    block.layer = layersOver(el)[0] ?? -1;
    const { x, y, width, height } = block.box;
    if (!layersOn(block)) { chars.shown += block.text.length; continue; }
    const hit = hitAt(Math.min(W - 1, x + Math.min(width / 2, 40)), Math.min(H - 1, y + Math.min(height / 2, 12)));
    if (hit && hit !== el && !within(el, hit) && !within(hit, el)) {
      for (let up = hit; up && up !== el && !within(up, el); up = parentOf(up)) block.over = Math.max(block.over, hitKind(up).alpha);
      // What is hit of a modal dialog may be its backdrop.
      const { backdrop = null, box = null } = layers[layerOf.get(hit)] ?? {};
      if (backdrop !== null && !(box && x >= box.x && y >= box.y && x + width <= box.x + box.width && y + height <= box.y + box.height)) block.over = backdrop;
      block.over = round(block.over);
    }
    if (block.over < 0.9) chars.shown += block.text.length;
  }
