/* over: how much of each text of a frame lies under something opaque of the documents around it, as this world sees them.
 *
 * In   options { key of the frame element, texts: [[key, [[x, y, w, h], ...]], ...] in CSS px from the top left of the frame's content }
 * Out  { key: share }: 0 to 1 of the points that were asked, of texts with a share above 0; null where the frame is not known
 *
 * The text is another process's, so it is not in this world's reading; what lies over it is told by the last reading, by the
 * rules that hold for texts of its own and at the same points. What may cover a point and may not (half transparent) counts for less than half.
 */
(options) => {
  //= read/memory.js
  const frame = memory.frames.get(options.key);
  if (!frame) return null;
  const found = {};
  for (const [key, boxes] of options.texts) {
    let over = 0;
    for (const [x, y, w, h] of boxes)
      for (const part of [0.1, 0.5, 0.9]) {
        const alpha = frame.over(frame.at.x + (x + w * part) * frame.at.s, frame.at.y + (y + h / 2) * frame.at.s);
        over += alpha === 1 ? 1 : alpha > 0 ? 0.4 : 0;
      }
    // Below half where not all is sure: a person has to look.
    if (over) found[key] = Math.min(1, Math.round((over / (3 * boxes.length)) * 100) / 100);
  }
  return found;
}
