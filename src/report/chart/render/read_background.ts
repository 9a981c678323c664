import { checkOption } from "../../../base/arguments/check_options.ts";

const PIXEL = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

/**
 * Reads a background colour in CSS notation, from 0 to 255 each, and its opacity from 0 to 1, so that a PDF, whose writer knows fewer notations, has the same as a PNG.
 *
 * @throws {TypeError} If it is not text
 * @throws {RangeError} If it is no colour
 */
export async function readBackground(background: string): Promise<{
  readonly color: readonly [red: number, green: number, blue: number];
  readonly opacity: number;
}> {
  const pixel = await drawPixel(background);
  checkOption("draw a picture", "background", background, {
    required: 'a colour such as "white", "#204080" or "transparent"',
    accepts: () => pixel !== null,
    isKind: (value) => typeof value === "string",
  });
  // The colours of a pixel are multiplied by its opacity.
  const [red = 0, green = 0, blue = 0, alpha = 0] = pixel!;
  const part = (value: number) => alpha === 0 ? 0 : Math.round(value * 255 / alpha);
  return { color: [part(red), part(green), part(blue)], opacity: alpha / 255 };
}

async function drawPixel(background: unknown): Promise<Uint8Array | null> {
  if (typeof background !== "string") return null;
  const { Resvg } = await import("@resvg/resvg-js");
  try {
    return new Resvg(PIXEL, { background }).render().pixels;
  } catch {
    return null;
  }
}
