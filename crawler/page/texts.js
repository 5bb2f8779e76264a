/* texts: which of the elements that showed a text at S0 hold another one now. No styles and no layout, so that it costs next to nothing.
 *
 * In   options { position: the scroll position whose S0 is meant (0 where absent), maxChanged: how many to tell at most }
 * Out  JSON { now: performance.now(), wall: Date.now(), watched, gone, changedMore,
 *             changed: [[key, text], ...] in the order of the page, blanks collapsed, at most 500 characters each }
 *
 * watched: elements that were seen and held a text of their own or a value. gone: those no longer in the document;
 * their text is compared all the same. changedMore: how many differ beyond maxChanged.
 */
(options) => {
  //= read/dom.js
  //= read/memory.js
  const now = performance.now(), wall = Date.now();
  const plain = (text) => text.replace(/\s+/g, " ").trim();
  const changed = [];
  let gone = 0, changedMore = 0;
  for (const [key, held] of served.raw) {
    const el = memory.nodes.get(key);
    if (!connected(el)) gone++;
    const text = heldText(el);
    if (text === held) continue;
    const shown = plain(text);
    if (shown === plain(held)) continue;
    if (changed.length < options.maxChanged) changed.push([key, well(shown.slice(0, 500))]);
    else changedMore++;
  }
  return JSON.stringify({ now, wall, watched: served.raw.size, gone, changedMore, changed });
}
