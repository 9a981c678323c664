// Search, the theme, and charts that move. Everything else is there without a script.
const root = document.body.dataset.root;

function load(path) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = root + path;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`Cannot load ${path}`));
    document.head.append(script);
  });
}

const once = new Map();
function loadOnce(path) {
  if (!once.has(path)) once.set(path, load(path));
  return once.get(path);
}

const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};
document.getElementById("theme").addEventListener("click", () => {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch { /* no storage */ }
});

const parts = document.getElementById("parts");
if (matchMedia("(max-width: 60rem)").matches) parts.open = false;
else parts.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });

const input = document.getElementById("search");
const found = document.getElementById("found");
let chosen = -1;

/** How well an entry answers: names before headings, headings before text, and the words as a phrase before each alone. */
function rank([page, text, , excerpt, body], words) {
  const [name, title] = [text.toLowerCase(), page.toLowerCase()];
  const about = `${excerpt.toLowerCase()} ${body}`;
  const member = name.split(".").at(-1);
  let sum = 0;
  for (const word of words) {
    if (name === word) sum += 100;
    else if (member === word) sum += 60;
    else if (name.startsWith(word)) sum += 40;
    else if (name.includes(word)) sum += 20;
    else if (title.includes(word)) sum += 8;
    else if (about.includes(word)) sum += 3;
    else return 0;
  }
  if (words.length === 1) return sum;
  const phrase = words.join(" ");
  return sum +
    (name.includes(phrase) ? 80 : title.includes(phrase) ? 40 : about.includes(phrase) ? 30 : 0);
}

function show(entries) {
  chosen = -1;
  found.replaceChildren(...entries.map(([page, text, url, excerpt]) => {
    const item = document.createElement("li");
    item.setAttribute("role", "option");
    const link = document.createElement("a");
    link.href = root + url;
    const [name, place, about] = ["strong", "small", "span"].map((tag) =>
      document.createElement(tag)
    );
    name.textContent = text;
    place.textContent = page === text ? "" : page;
    about.textContent = excerpt;
    link.append(name, " ", place, about);
    item.append(link);
    return item;
  }));
  if (entries.length === 0 && input.value.trim() !== "") {
    const none = document.createElement("li");
    none.className = "none";
    none.textContent = "Nothing found";
    found.append(none);
  }
  found.hidden = input.value.trim() === "";
  input.setAttribute("aria-expanded", String(!found.hidden));
}

async function search() {
  await loadOnce("assets/search.js");
  const words = input.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return show([]);
  const ranked = globalThis.siteIndex.map((entry, place) => ({
    entry,
    place,
    sum: rank(entry, words),
  }))
    .filter(({ sum }) => sum > 0).sort((a, b) => b.sum - a.sum || a.place - b.place);
  show(ranked.slice(0, 12).map(({ entry }) => entry));
}

input.addEventListener("input", search);
input.addEventListener("keydown", (event) => {
  const links = [...found.querySelectorAll("a")];
  if (event.key === "Escape") {
    input.value = "";
    show([]);
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const step = event.key === "ArrowDown" ? 1 : -1;
    chosen = Math.max(0, Math.min(links.length - 1, chosen + step));
    links.forEach((link, i) => link.classList.toggle("chosen", i === chosen));
    links[chosen]?.scrollIntoView({ block: "nearest" });
  } else if (event.key === "Enter") links[Math.max(0, chosen)]?.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || /input|textarea/i.test(document.activeElement?.tagName ?? "")) return;
  event.preventDefault();
  input.focus();
});
document.addEventListener("click", (event) => {
  if (!event.target.closest(".search")) found.hidden = true;
});

for (const button of document.querySelectorAll("button.move")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    await loadOnce("assets/vega.min.js");
    await loadOnce("assets/vega-lite.min.js");
    const card = button.closest(".card");
    const { $schema: _, ...spec } = JSON.parse(card.querySelector(".spec").textContent);
    const place = card.querySelector(".chart");
    const drawn = document.createElement("div");
    const { vega, vegaLite } = globalThis;
    const view = new vega.View(vega.parse(vegaLite.compile(spec).spec), {
      renderer: "svg",
      container: drawn,
      hover: true,
    });
    await view.runAsync();
    place.replaceChildren(drawn);
    button.hidden = true;
  });
}
