/* Pieces: the unbroken runs of text that elements are made of, and what stands between them. */
  // Text pieces in reading order. An element's text is the pieces between two marks: a subtree is an unbroken run of them.
  const pieces = [];     // { text, before: "" | " " | "\n", box, seen, why, cut, partial, icon }
  let gap = "";          // what stands between the last piece and the next: nothing, a blank, or a line's end
  const gapAtLeast = (g) => { if (g === "\n" || gap === "") gap = g; };
  let orders = 0;        // counts boxes and pieces in the order of the tree
  let owner = null, frameNow = 0;   // whose text the next piece is, and in which frame
  let frameStack = [];              // the frame elements around it, outermost first
  const push = (piece) => { piece.before = gap; piece.owner = owner; piece.order = ++orders; piece.frame = frameNow; piece.frames = frameStack; gap = ""; pieces.push(piece); };

  const MASKED = "\u2022";
  const shaped = (text, style) => {
    if (style.webkitTextSecurity && style.webkitTextSecurity !== "none") return text.replace(/\S/gu, MASKED);
    switch (style.textTransform) {
      case "uppercase": return text.toUpperCase();
      case "lowercase": return text.toLowerCase();
      case "capitalize": return text.replace(/(^|[^\p{L}\p{N}'\u2019])(\p{L})/gu, (_, a, b) => a + b.toUpperCase());
      default: return text;
    }
  };
