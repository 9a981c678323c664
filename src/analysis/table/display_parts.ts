import type { DataFrame } from "nodejs-polars";
import { DISPLAY, display, type MimeBundle } from "../../notebook/display.ts";
import { escapeHtml } from "../../notebook/escape_html.ts";
import { formatFrame, frameBundle } from "../../notebook/frame/frame_bundle.ts";
import { paragraphsHtml } from "./paragraphs_html.ts";

const SHOWN = { edgeRows: 8, maxColumns: 18 };

/** What displays itself in a notebook and in a terminal: its sentences, then its frames. */
export interface Displayed {
  /** The result as text. */
  toString(): string;
}

/** The same with the method that a notebook calls. */
export interface DisplayMethods extends Displayed {
  /** What a notebook shows. */
  [DISPLAY](): Promise<MimeBundle>;
}

/** How a result is displayed. */
export interface DisplayPartsOptions {
  /**
   * The sentences for a notebook.
   *
   * @default a paragraph a line
   */
  readonly html?: () => string;
}

/**
 * The display of a result that is made of frames, to be spread into it: sentences first, then each frame with its name.
 *
 * @param text Gives the sentences, one a line
 * @param frames Gives the frames to show, with their names
 * @param options How a notebook shows the sentences
 */
export function displayParts(
  text: () => string,
  frames: () => Readonly<Record<string, DataFrame>>,
  { html = () => paragraphsHtml(text()) }: DisplayPartsOptions = {},
): DisplayMethods {
  const toText = () =>
    [
      text(),
      ...Object.entries(frames()).map(([name, frame]) => `${name}\n${formatFrame(frame, SHOWN)}`),
    ].join("\n\n");
  return {
    toString: toText,
    [DISPLAY]: () => {
      const tables = Object.entries(frames()).map(([name, frame]) =>
        `<p><b>${escapeHtml(name)}</b></p>${String(frameBundle(frame, SHOWN)["text/html"])}`
      );
      return display({
        "text/html": [html(), ...tables].join("\n"),
        "text/plain": toText(),
      });
    },
    [Symbol.for("Deno.customInspect")]: toText,
  } as DisplayMethods;
}
