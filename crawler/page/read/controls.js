/* Form controls: what they show, and what the serialised document says of them beside what they are now. */
  const NAMED = "[aria-label],[aria-labelledby],[title]";
  const KEPT = new Set(["id", "class", "role", "aria-label", "aria-labelledby", "aria-hidden", "aria-roledescription", "title", "alt", "type", "name",
    "value", "checked", "open", "placeholder", "multiple", "size", "contenteditable", "lang", "dir", "scope", "for", "tabindex", "itemprop", "datetime"]);
  const CONTROLS = new Set(["input", "textarea", "select", "details", "dialog"]);
  const NO_CHILDREN = new Set(["iframe", "frame", "embed", "canvas", "video", "audio", "img", "textarea", "input", "option", "meter", "progress", "br", "hr"]);
  const TYPED = new Set(["text", "search", "email", "url", "tel", "number", "date", "time", "month", "week", "datetime-local", "range", "color"]);
  const PRESSED = new Set(["submit", "button", "reset"]);
  const FOCUSABLE = "a[href],button,input,select,textarea,summary,[tabindex],[role=button],[role=link],[role=menuitem],[role=tab],[role=checkbox],[role=switch]";

  const told = (state) => ({ ...state, served: typeof state.served === "string" ? well(state.served) : state.served,
    live: typeof state.live === "string" ? well(state.live) : state.live });
  const optionText = (option) => (option ? (attr(option, "label") ?? option.textContent).replace(/\s+/g, " ").trim() : "");
  // What the serialised document says of a control's state, and what it is now. Null where the document says nothing.
  const stateOf = (el, tag) => {
    if (tag === "input") {
      const type = HTMLInputElement.prototype.__lookupGetter__("type").call(el);
      const live = inputValue(el);
      if (type === "checkbox" || type === "radio") {
        const now = HTMLInputElement.prototype.__lookupGetter__("checked").call(el);
        return { what: "checked", type, served: hasAttr(el, "checked"), live: indeterminate(el) && type === "checkbox" ? "mixed" : now };
      }
      if (type === "password") return { what: "value", type, served: null, live: MASKED.repeat(Math.min(live.length, 64)), secret: true };
      return { what: "value", type, served: attr(el, "value"), live };
    }
    if (tag === "textarea") return { what: "value", type: "textarea", served: el.textContent.replace(/^\n/, ""),
      live: textareaValue(el) };
    if (tag === "select") {
      const options = Array.from(HTMLSelectElement.prototype.__lookupGetter__("options").call(el));
      const multiple = hasAttr(el, "multiple");
      const chosen = options.filter((o) => o.selected), marked = options.filter((o) => hasAttr(o, "selected"));
      const plain = multiple || +attr(el, "size") > 1 ? [] : options.filter((o) => !o.disabled).slice(0, 1);
      const served = marked.length ? (multiple ? marked : marked.slice(-1)) : plain;
      return { what: "selected", type: multiple ? "multiple" : "one", served: served.map(optionText).join(", "), live: chosen.map(optionText).join(", ") };
    }
    return { what: "open", type: tag, served: hasAttr(el, "open"), live: hasAttr(el, "open") };
  };
  // Where a control's text is: its box without border and padding.
  const insidePadding = (box, el, style, s) => {
    const of = (side) => s * (parseFloat(style[`padding${side}`] || 0) + parseFloat(style[`border${side}Width`] || 0));
    const inside = { x: box.x + of("Left"), y: box.y + of("Top"), r: box.r - of("Right"), b: box.b - of("Bottom") };
    return inside.r - inside.x > 2 && inside.b - inside.y > 2 ? inside : box;
  };
  const readControl = (el, tag, state, style, ctx) => {
    let text = "", hint = false;
    if (tag === "input") {
      if (TYPED.has(state.type) && state.type !== "range" && state.type !== "color") text = state.live;
      else if (PRESSED.has(state.type)) text = attr(el, "value") ?? { submit: "Submit", reset: "Reset" }[state.type] ?? "";
      else if (state.secret) text = state.live;
    } else if (tag === "textarea") text = state.live;
    else if (tag === "select") text = state.live;
    if (!text && (tag === "textarea" || (tag === "input" && (TYPED.has(state.type) || state.secret)))) { text = attr(el, "placeholder") ?? ""; hint = !!text; }
    if (!/\S/.test(text)) return hint;
    const box = quad(boundsOf(el), ctx.at), clip = crop(box, crop(ctx.clip, VIEW));
    let why = area(box) === 0 ? "zero-size" : unseen(style, ctx);
    if (!why && area(clip) === 0) why = area(crop(box, VIEW)) === 0 ? "off-viewport" : "clipped";
    const inShape = why || !ctx.shapes ? 1 : shareInside([clip], ctx.shapes);
    if (inShape < 0.2) why = "clipped";
    // Indented out of its own box: the picture behind it is what is seen.
    if (!why && Math.abs(parseFloat(style.textIndent)) * ctx.at.s >= box.r - box.x) why = "clipped";
    // A select's arrow takes about a letter's height beside its text.
    const tight = tag === "select" && widthOf(text, style) > clientWidth(el) - parseFloat(style.paddingLeft || 0) - parseFloat(style.fontSize);
    const cut = !why && (tight || tag !== "select") && (tight || scrollWidth(el) > clientWidth(el) + 1 || (tag === "textarea" && scrollHeight(el) > clientHeight(el) + 1));
    gapAtLeast(" ");
    push({ text: shaped(text, style), box: why ? box : clip, seen: !why, why, cut: false, partial: cut || (!why && area(clip) < 0.9 * area(box)) || inShape < 0.95,
      icon: false, lines: why ? [] : [crop(insidePadding(box, el, style, ctx.at.s), clip)], hint, at: ctx.at, ctx, veil: ctx.veil });
    gapAtLeast(" ");
    return hint;
  };

  // A list box draws each option's text in a box of the browser's own; the option's box is where it is.
  const readOption = (el, style, ctx) => {
    const text = optionText(el), box = quad(boundsOf(el), ctx.at), clip = crop(box, crop(ctx.clip, VIEW));
    if (!/\S/.test(text)) return;
    const why = area(box) === 0 ? "zero-size" : unseen(style, ctx) || (area(clip) < 0.6 * area(box) ? (outsideView([box]) ? "off-viewport" : "clipped") : ctx.shapes && shareInside([clip], ctx.shapes) < 0.6 ? "clipped" : "");
    gapAtLeast("\n");
    push({ text: shaped(text, style), box: why ? box : clip, seen: !why, why, cut: false, partial: false, icon: false, lines: why ? [] : [clip], at: ctx.at, ctx });
    gapAtLeast("\n");
  };

