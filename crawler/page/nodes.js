/* nodes: the nodes behind keys of the last readings, for DevTools to be asked about.
 *
 * In   options { keys: [key, ...] }
 * Out  [node or null, ...] by reference, in the order of keys; null where a key is unknown or its node is no longer in the document
 */
(options) => {
  //= read/dom.js
  const nodes = globalThis.parallaxMemory?.nodes ?? new Map();
  return options.keys.map((key) => {
    const node = nodes.get(key);
    return node && connected(node) ? node : null;
  });
}
