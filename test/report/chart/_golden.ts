import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { Buffer } from "node:buffer";
import { dirname, join } from "node:path";
import { Resvg } from "@resvg/resvg-js";
import { expect } from "vitest";
import { ROOT } from "../../helpers/source_files.ts";

const FOLDER = join(ROOT, "test/report/chart/golden");
// Of 255 a channel, where anything is drawn. Another processor rounds an edge by a fraction of a pixel; the libraries are pinned.
const TOLERANCE = 1;
// A word of a title has hundreds of pixels that differ by more.
const LARGE = 64;
const MOST_LARGE = 12;

/** A specification with a row a line, so that a difference is read at once. */
export function layOut(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const flat = JSON.stringify(value);
  if (flat.length <= 100 - indent.length || indent !== "" && isFlat(value)) return flat;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((entry) => inner + layOut(entry, inner))
    : Object.entries(value).filter(([, entry]) => entry !== undefined)
      .map(([name, entry]) => `${inner}${JSON.stringify(name)}: ${layOut(entry, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${parts.join(",\n")}\n${indent}${close}`;
}

function isFlat(value: object): boolean {
  return Object.values(value).every((entry) => typeof entry !== "object" || entry === null);
}

/** Compares a specification with the committed one; what differs is written beside it as `-changed.json`. */
export async function expectGoldenSpec(name: string, spec: unknown): Promise<void> {
  const text = `${layOut(spec)}\n`;
  const path = join(FOLDER, `${name}.json`);
  const changed = path.replace(/\.json$/, "-changed.json");
  const known = await readFile(path, "utf8").catch(() => null);
  if (known !== text) await write(changed, text);
  else await rm(changed, { force: true });
  expect(text, `${changed} differs; look at both, and rename it if it is right`).toBe(known);
}

/** Compares a picture with the committed one, pixel by pixel; what differs is written beside it as `-changed.png`. */
export async function expectGoldenPicture(name: string, png: Uint8Array): Promise<void> {
  const path = join(FOLDER, `${name}.png`);
  const changed = path.replace(/\.png$/, "-changed.png");
  const known = await readFile(path).catch(() => null);
  const { mean, large } = known === null
    ? { mean: Infinity, large: Infinity }
    : differenceOf(known, png);
  if (mean > TOLERANCE || large > MOST_LARGE) await write(changed, png);
  else await rm(changed, { force: true });
  expect(mean, `${changed} looks different`).toBeLessThanOrEqual(TOLERANCE);
  expect(large, `${changed} looks different in places`).toBeLessThanOrEqual(MOST_LARGE);
}

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly values: Uint8Array;
}

// resvg reads a PNG that stands in an SVG.
function pixels(png: Uint8Array): Pixels {
  const header = new DataView(png.buffer, png.byteOffset);
  const [width, height] = [header.getUint32(16), header.getUint32(20)];
  const href = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<image href="${href}" width="${width}" height="${height}"/></svg>`;
  return {
    width,
    height,
    values: new Uint8Array(new Resvg(svg, { background: "white" }).render().pixels),
  };
}

interface Difference {
  /** Mean difference of a channel over the pixels that are not white in both. */
  readonly mean: number;
  /** Number of pixels with a channel that differs by more than {@link LARGE}. */
  readonly large: number;
}

/** Difference of two pictures; infinite if their sizes differ. */
export function differenceOf(one: Uint8Array, other: Uint8Array): Difference {
  const [a, b] = [pixels(one), pixels(other)];
  if (a.width !== b.width || a.height !== b.height) return { mean: Infinity, large: Infinity };
  let [sum, drawn, large] = [0, 0, 0];
  for (let i = 0; i < a.values.length; i += 4) {
    const [from, to] = [a.values.subarray(i, i + 3), b.values.subarray(i, i + 3)];
    if (from.every((value) => value === 255) && to.every((value) => value === 255)) continue;
    drawn++;
    const apart = from.map((value, k) => Math.abs(value - to[k]!));
    sum += (apart[0]! + apart[1]! + apart[2]!) / 3;
    if (Math.max(...apart) > LARGE) large++;
  }
  return { mean: drawn === 0 ? 0 : sum / drawn, large };
}
