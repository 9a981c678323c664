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

const STOP = new Set(
  "a an and are as at be can do does for from how i in is it me my of on or the to what where which with"
    .split(" "),
);

/** A text as it is compared: small letters, and names without the marks between their words. */
function squeeze(text) {
  return text.toLowerCase().replace(/[^\p{L}\p{N}\s]/gu, "");
}

/** The words of a question that say something, without the s of a plural. */
function wordsOf(query) {
  const words = squeeze(query).split(/\s+/).filter((word) => word !== "");
  const telling = words.filter((word) => !STOP.has(word));
  return (telling.length === 0 ? words : telling).map((word) => word.replace(/(?<=\w{3})s$/, ""));
}

/** How well a place answers a word: a name before a heading, a heading before text; of a question text counts nearly as much as a part of a name. */
function rank({ name, member, title, about }, word, isQuestion) {
  if (name === word || name === `${word}s`) return 100;
  if (member === word || member === `${word}s`) return 60;
  if (name.startsWith(word)) return isQuestion ? 15 : 40;
  if (name.includes(word)) return isQuestion ? 10 : 20;
  if (title.includes(word)) return 8;
  return about.includes(` ${word}`) ? 3 : 0;
}

/** The places that answer a question, the best first. A rare word weighs more, a missing one takes a place back; the words as a phrase come before each alone. */
function answers(index, query) {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const places = index.places ??= index.map((entry) => {
    const [page, text, , excerpt, body] = entry;
    const name = squeeze(text);
    const member = squeeze(text.split(".").at(-1));
    return { entry, name, member, title: squeeze(page), about: squeeze(` ${excerpt} ${body}`) };
  });
  const ranks = words.map((word) => places.map((place) => rank(place, word, words.length > 1)));
  const weights = ranks.map((own) =>
    Math.log(1 + index.length / (1 + own.filter((one) => one > 0).length))
  );
  const phrase = words.join(" ");
  const sums = places.map(({ name, title, about }, at) => {
    const found = ranks.filter((own) => own[at] > 0).length;
    if (2 * found <= words.length && words.length > 1) return 0;
    const sum = ranks.reduce((all, own, i) => all + weights[i] * own[at], 0);
    const whole = words.length === 1
      ? 0
      : name.includes(phrase)
      ? 80
      : title.includes(phrase)
      ? 40
      : about.includes(phrase)
      ? 30
      : 0;
    return (sum + 4 * whole) * (found / words.length) ** 3;
  });
  return [...index.keys()].filter((at) => sums[at] > 0)
    .sort((a, b) => sums[b] - sums[a] || a - b).slice(0, 12).map((at) => index[at]);
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
  show(answers(globalThis.siteIndex, input.value));
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
