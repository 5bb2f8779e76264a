/* What this world remembers of the page between scripts: which node has which key, and what S0 was at each scroll position.
 * Nodes are held by strong references: the page is closed soon.
 */
  const memory = (globalThis.parallaxMemory ??= { keys: new WeakMap(), next: 1, nodes: new Map(), frames: new Map(), closed: new WeakMap(), at: new Map() });
  // served: key -> text seen; known: keys; raw: key -> text held, of what was seen; far: block -> elements in it, where none was near.
  const nothingServed = () => ({ served: new Map(), known: new Set(), raw: new Map(), far: new WeakMap() });
  const position = options.position ?? 0;
  if (!memory.at.has(position)) memory.at.set(position, nothingServed());
  const served = memory.at.get(position);
  const forgetServed = () => { served.served.clear(); served.known.clear(); served.raw.clear(); };
  const keyOf = (node) => {
    let key = memory.keys.get(node);
    if (!key) memory.keys.set(node, (key = memory.next++));
    return key;
  };
  const shadowRootOf = (el) => shadowOf(el) ?? memory.closed.get(el) ?? null;

  // Half a surrogate pair, which a page may hold and a cut may leave, is no text: it has no UTF-8.
  const well = (text) => text.toWellFormed();
  const textsOf = (node) => {
    let text = "";
    for (let n = firstChild(node); n; n = nextSibling(n)) {
      const type = nodeType(n);
      if (type === 3) text += textData(n);
      else if (type === 1 && localName(n) === "slot") text += textsOf(n);
    }
    return text;
  };
  // The text an element holds itself, shown or not: no styles, no layout, so it can be asked of thousands at once.
  const heldText = (el) => {
    const shadow = shadowRootOf(el), tag = localName(el);
    let text = textsOf(el);
    if (shadow) text += textsOf(shadow);
    // A password is nobody's text, also where it was no password a moment ago.
    if (tag === "input") text += HTMLInputElement.prototype.__lookupGetter__("type").call(el) === "password" ? "" : inputValue(el);
    else if (tag === "textarea") text = textareaValue(el);
    else if (tag === "select") text = Array.from(selectedOptions(el), textContent).join(", ");
    return text;
  };
