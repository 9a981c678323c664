import type { DataFrame } from "nodejs-polars";
import { DISPLAY, display } from "../../frames/notebook/display.ts";
import type { DisplayMethods } from "../../frames/notebook/display_as.ts";
import { escapeHtml } from "../../frames/notebook/html.ts";
import { formatFrame, frameBundle } from "../../frames/notebook/frame/frame_bundle.ts";
import { withOneScript } from "../../frames/notebook/frame/table_script.ts";

const SHOWN = { edgeRows: 8, maxColumns: 18 };

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
  { html = () => paragraphsHtml(text()) }: { html?: () => string } = {},
): DisplayMethods {
  const toText = () =>
    [
      text(),
      ...Object.entries(frames()).map(([name, frame]) => `${name}\n${formatFrame(frame, SHOWN)}`),
    ].join("\n\n");
  return {
    toString: toText,
    [DISPLAY]: () => {
      const named = Object.entries(frames());
      const options = { ...SHOWN, tables: named.length };
      const tables = named.map(([name, frame]) =>
        `<p><b>${escapeHtml(name)}</b></p>${String(frameBundle(frame, options)["text/html"])}`
      );
      return display({
        "text/html": withOneScript([html(), ...tables].join("\n")),
        "text/plain": toText(),
      });
    },
    [Symbol.for("Deno.customInspect")]: toText,
  } as DisplayMethods;
}

/** A paragraph of HTML for each line. */
function paragraphsHtml(text: string): string {
  return text.split("\n").map((line) => `<p>${escapeHtml(line)}</p>`).join("\n");
}
