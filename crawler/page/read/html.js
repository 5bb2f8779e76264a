/* The document as it stands, serialised: `html`. */
    const serialize = (node) => {
      const roots = [];
      const collect = (hosts) => { for (const host of hosts) { const s = shadowOf(host); if (s) { roots.push(s); collect(within(s, "*")); } } };
      collect(byTag(document, "*"));
      if (!roots.length || !("getHTML" in Element.prototype)) return node.outerHTML;
      // Open shadow roots are part of what an agent can read; plain outerHTML leaves them out.
      const shell = node.cloneNode(false).outerHTML, end = shell.lastIndexOf("</");
      return shell.slice(0, end) + node.getHTML({ shadowRoots: roots }) + shell.slice(end);
    };
    const type = getter(Document.prototype, "doctype")(document);
    const html = (type ? new XMLSerializer().serializeToString(type) + "\n" : "") + (root ? serialize(root) : "");
