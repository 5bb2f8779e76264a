/* Properties and methods through their prototypes: elements of the page that have a name shadow properties of their parents. */
  const getter = (proto, name) => {
    const get = Object.getOwnPropertyDescriptor(proto, name).get;
    return (node) => get.call(node);
  };
  const method = (proto, name) => {
    const fn = proto[name];
    return (node, ...args) => fn.apply(node, args);
  };
