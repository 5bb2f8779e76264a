// The picture of one item, at the desk or on a sheet: at what zoom, where the region is, and the region enlarged. It knows a picture
// and a region, nothing else.
"use strict";
globalThis.auditPicture = (() => {
  const STEP = 1.25, LEAST = 0.1, MOST = 8, READABLE = 0.6, LARGEST = 2, ROOM = 24, GAP_PX = 3, MARGIN = 8, CROP_HIGH = 220, CROP_MOST = 4;
  const $ = (id) => document.getElementById(id);
  const view = $("view"), sheet = $("sheet"), shot = $("shot"), over = $("over"), crop = $("crop");
  let item = null, zoom = 1, address = null;

  const within = (least, value, most) => Math.min(most, Math.max(least, value));

  function frame() { // outside of the region by some px of the screen, so that it covers nothing that is asked about
    const { x, y, width, height } = item.region, gap = GAP_PX / zoom;
    const path = `M${x - gap} ${y - gap}h${width + 2 * gap}v${height + 2 * gap}h${-width - 2 * gap}z`;
    for (const part of [$("halo"), $("frame")]) part.setAttribute("d", path);
  }

  function resize(to, at) { // at: px of the view that stay where they are
    const point = at || [view.clientWidth / 2, view.clientHeight / 2];
    const on = [(view.scrollLeft + point[0]) / zoom, (view.scrollTop + point[1]) / zoom];
    zoom = within(LEAST, to, MOST);
    sheet.style.width = `${item.width * zoom}px`;
    sheet.style.height = `${item.height * zoom}px`;
    shot.classList.toggle("coarse", zoom >= 3);
    view.scrollLeft = on[0] * zoom - point[0];
    view.scrollTop = on[1] * zoom - point[1];
    $("scale").value = `${Math.round(zoom * 100)} %`;
    frame();
  }

  function home() { // all of its width where that can be read, and the region in the middle
    if (!item) return;
    const { x, y, width, height } = item.region;
    const fit = within(READABLE, view.clientWidth / item.width, LARGEST);
    resize(Math.min(fit, (view.clientWidth - ROOM) / width, (view.clientHeight - ROOM) / height));
    view.scrollLeft = (x + width / 2) * zoom - view.clientWidth / 2;
    view.scrollTop = (y + height / 2) * zoom - view.clientHeight / 2;
  }

  function enlarge() { // drawn from the same picture: nothing is asked for
    const { x, y, width, height } = item.region;
    const left = Math.max(0, Math.floor(x - MARGIN)), top = Math.max(0, Math.floor(y - MARGIN));
    const wide = Math.min(item.width, Math.ceil(x + width + MARGIN)) - left;
    const high = Math.min(item.height, Math.ceil(y + height + MARGIN)) - top;
    const room = crop.parentElement.clientWidth, dense = devicePixelRatio || 1;
    const scale = Math.min(room / wide, CROP_HIGH / high, CROP_MOST);
    crop.width = Math.max(1, Math.round(wide * scale * dense));
    crop.height = Math.max(1, Math.round(high * scale * dense));
    crop.style.width = `${wide * scale}px`;
    crop.style.height = `${high * scale}px`;
    const pen = crop.getContext("2d");
    pen.imageSmoothingQuality = "high";
    pen.drawImage(shot, left, top, wide, high, 0, 0, crop.width, crop.height);
    if (over.classList.contains("off")) return;
    const gap = Math.min(GAP_PX, MARGIN * scale / 2); // the edge, outside of the region here too
    const [from, down] = [x - left, y - top].map((at) => (at * scale - gap) * dense);
    for (const [colour, thick] of [["#fff", 3], ["#dc2626", 1.25]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = thick * dense;
      pen.strokeRect(from, down, (width * scale + 2 * gap) * dense, (height * scale + 2 * gap) * dense);
    }
  }

  async function show(shown, at) { // at: the picture's address. Whether there is one to be seen; if not, nothing is shown
    const old = address;
    address = shot.src = at;
    if (old !== at) URL.revokeObjectURL(old);
    try {
      await shot.decode();
    } catch {
      if (address === at) clear();
      return false;
    }
    item = shown;
    over.setAttribute("viewBox", `0 0 ${item.width} ${item.height}`);
    home();
    enlarge();
    return true;
  }

  function clear() { // signed out, or no picture there: nothing stays to be seen
    URL.revokeObjectURL(address);
    address = item = null;
    shot.removeAttribute("src");
    crop.width = crop.height = 1;
  }

  function marked(on) {
    $("mark").setAttribute("aria-pressed", String(on));
    over.classList.toggle("off", !on);
    if (item) enlarge();
  }

  view.addEventListener("wheel", (event) => {
    if (!item || event.shiftKey) return;
    event.preventDefault();
    const box = view.getBoundingClientRect();
    resize(zoom * Math.exp(-within(-60, event.deltaY, 60) / 250), [event.clientX - box.left, event.clientY - box.top]);
  }, { passive: false });
  let from = null; // dragged with a mouse; fingers scroll by themselves
  view.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button) return;
    from = [event.clientX + view.scrollLeft, event.clientY + view.scrollTop];
    view.setPointerCapture(event.pointerId);
  });
  view.addEventListener("pointermove", (event) => {
    if (!from) return;
    view.scrollLeft = from[0] - event.clientX;
    view.scrollTop = from[1] - event.clientY;
  });
  for (const end of ["pointerup", "pointercancel"]) view.addEventListener(end, () => { from = null; });
  shot.addEventListener("dragstart", (event) => event.preventDefault());
  addEventListener("resize", () => {
    if (!item) return;
    home();
    enlarge();
  });

  return {
    show, clear, home, marked,
    larger: () => item && resize(zoom * STEP),
    smaller: () => item && resize(zoom / STEP),
    toggle: () => marked($("mark").getAttribute("aria-pressed") !== "true"),
  };
})();
