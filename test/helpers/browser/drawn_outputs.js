// Runs in a page: what the outputs of a notebook show there. Plain JavaScript, because a type check knows no document.
(() => {
  // What is folded up is drawn once it is opened.
  for (const details of document.querySelectorAll("details")) details.open = true;
  const within = (selector) => [
    ...document.querySelectorAll(`:is(.output_area, .jp-OutputArea-output) :is(${selector})`),
  ];
  const scrolls = (element) =>
    element !== null && element !== document.body &&
    (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const isBeyond = (element) => {
    const output = element.closest(".output, .jp-Cell-outputArea");
    const right = Math.min(innerWidth, output.getBoundingClientRect().right);
    return element.getBoundingClientRect().right > right + 1;
  };
  const colorsOf = (image) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  };
  const isEmpty = (element) => {
    const { width, height } = element.getBoundingClientRect();
    if (width < 20 || height < 10) return true;
    if (element instanceof HTMLImageElement) return !element.complete || colorsOf(element) < 10;
    if (element instanceof SVGElement) {
      return element.querySelectorAll("path, rect, text").length < 5;
    }
    return element.textContent.trim() === "";
  };
  const [figures, tables] = [within("img, svg:not(svg svg)"), within("table")];
  const named = (elements) =>
    elements.map((element) => `${element.tagName}: ${element.textContent.trim().slice(0, 60)}`);
  const all = [...figures, ...tables];
  return {
    figures: figures.length,
    tables: tables.length,
    empty: named(all.filter(isEmpty)),
    cut: named([
      ...[
        ...figures,
        ...within("p, figcaption, small").filter((words) => words.closest("table") === null),
      ].filter(isBeyond),
      ...tables.filter((table) => isBeyond(table) && !scrolls(table.parentElement)),
    ]),
  };
})();
