/* over: how much of each text of a frame lies under something opaque of the documents around it, as this world sees them.
 *
 * In   options { key of the frame element, texts: [[key, [[x, y, w, h], ...]], ...] in CSS px from the top left of the frame's content }
 * Out  { key: share }: 0 to 1 of the lines, of texts with a share above 0; null where the frame is not known
 *
 * The text is another process's; what hides it is asked here, at the same points at which the reading asks of its own texts.
 */
(options) => {
  //= read/dom.js
  //= read/memory.js
  //= read/geometry.js
  //= read/seen.js
  //= read/covers.js
  const frame = memory.frames.get(options.key);
  if (!frame) return null;
  const found = {};
  for (const [key, boxes] of options.texts) {
    const lines = boxes.map(([x, y, w, h]) => quad({ left: x, top: y, right: x + w, bottom: y + h }, frame.at));
    const over = lines.filter((q) => [0.1, 0.5, 0.9].filter((fx) => frame.around.some((f) => overFrame(f, q, fx))).length >= 2).length;
    if (over) found[key] = round(over / lines.length);
  }
  return found;
}
