// Everything that moves. Whatever has data-live is written anew on its own beat; the start values are in the page.
const live = name => [...document.querySelectorAll(`[data-live="${name}"]`)];
const every = (ms, write) => { write(); setInterval(write, ms); };
const two = n => String(n).padStart(2, "0");
const grouped = n => n.toLocaleString("en-GB");

every(250, () => {
  const now = new Date();
  for (const place of live("clock")) place.textContent = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(":");
  const left = 900 - (now.getMinutes() * 60 + now.getSeconds()) % 900;
  for (const place of live("countdown")) place.textContent = `${two(Math.floor(left / 60))}:${two(left % 60)}`;
});

let visitors = 1284;
setInterval(() => {
  visitors += Math.floor(Math.random() * 9) - 3;
  for (const place of live("visitors")) place.textContent = grouped(visitors);
}, 1200);

const prices = live("price").map(cell => Number(cell.textContent));
const changes = live("change").map(cell => Number.parseFloat(cell.textContent));
setInterval(() => {
  live("price").forEach((cell, row) => {
    if (row % 3 === 2 && Math.random() < 0.5) return;
    const step = Math.round((Math.random() - 0.48) * 60) / 100;
    prices[row] += step;
    changes[row] += step;
    cell.textContent = prices[row].toFixed(2);
    const change = live("change")[row];
    change.textContent = `${changes[row] < 0 ? "-" : "+"}${Math.abs(changes[row]).toFixed(2)}%`;
    change.className = `num ${changes[row] < 0 ? "down" : "up"}`;
  });
}, 700);

const outputs = live("output").map(place => Number(place.textContent));
setInterval(() => {
  live("output").forEach((place, n) => {
    outputs[n] += (Math.random() - 0.5) * 2;
    place.textContent = outputs[n].toFixed(1);
  });
}, 900);

let total = 15437.5;
setInterval(() => {
  total += Math.round((Math.random() - 0.5) * 4000) / 100;
  for (const place of live("total"))
    place.textContent = `€ ${total.toLocaleString("en-GB", {minimumFractionDigits: 2, maximumFractionDigits: 2})}`;
}, 800);
