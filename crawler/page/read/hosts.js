/* Elements that may hold a closed shadow root: told to the caller, who has DevTools look and then reads again. Only at S0.
 *
 * From inside a closed root shows only by what it does: the children of the document are not drawn, or a box without
 * children has a content. The surer the sign the earlier a host stands in the list, of which the caller takes the first 200.
 */
  const MAY_HOST = new Set(["article", "aside", "blockquote", "div", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "main", "nav", "p", "section", "span"]);
  const MOST = [200, 60, 12];   // hosts by sureness: names with a hyphen or undrawn children; a content without children; a size or a paint of its own
  const suspects = [[], [], []];
  const suspect = (el, rank) => {
    if (!el || shadowRootOf(el) || suspects[rank].length >= MOST[rank] || suspects[rank].includes(el)) return;
    suspects[rank].push(el);
  };
  const hostAround = (el) => { const up = parentNode(el); return up && nodeType(up) === 1 && (MAY_HOST.has(localName(up)) || localName(up) === "body") ? up : null; };
  // A box that shows nothing of its own, and has room for something. A height that nobody gave it comes from a content.
  const suspectEmpty = (el, start, box) => {
    for (let i = start; i < pieces.length; i++) if (pieces[i].why !== "zero-size" || pieces[i].owner !== el) return;
    for (let n = firstChild(el); n; n = nextSibling(n)) if (nodeType(n) === 1) return;
    if (box.r - box.x < 4 || box.b - box.y < 4) return;
    if (pieces.length > start) { suspect(el, 0); return; }
    // A bar, a divider, an avatar: it paints something itself.
    const style = getComputedStyle(el), tint = colour(style.backgroundColor);
    const paints = style.backgroundImage !== "none" || (tint && tint.a > 0) || parseFloat(style.borderTopWidth) + parseFloat(style.borderBottomWidth) > 0;
    const styles = styleMap(el), given = (name) => { const value = styles.get(name); return value !== null && value !== undefined && String(value) !== "auto"; };
    suspect(el, paints || given("height") || String(styles.get("min-height")) !== "auto" && !/^0/.test(String(styles.get("min-height"))) || given("aspect-ratio") ? 2 : 1);
  };
