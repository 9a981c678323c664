import type { DataFrame } from "nodejs-polars";
import { DISPLAY, display, type MimeBundle } from "../../notebook/display.ts";
import { escapeHtml } from "../../notebook/escape_html.ts";
import { formatFrame, frameBundle } from "../../notebook/frame/frame_bundle.ts";

const SHOWN = { edgeRows: 8, maxColumns: 18 };

/** A result of more than one frame, which displays itself: its text, then each frame with its name. */
export abstract class Parts {
  /** What the result says, in sentences. */
  abstract readonly text: string;

  /** The frames to show, with their names. */
  protected abstract parts(): Readonly<Record<string, DataFrame>>;

  /** The result as text. */
  toString(): string {
    const frames = Object.entries(this.parts())
      .map(([name, frame]) => `${name}\n${formatFrame(frame, SHOWN)}`);
    return [this.text, ...frames].join("\n\n");
  }

  /** What a notebook shows. */
  [DISPLAY](): Promise<MimeBundle> {
    const frames = Object.entries(this.parts()).map(([name, frame]) =>
      `<p><b>${escapeHtml(name)}</b></p>${String(frameBundle(frame, SHOWN)["text/html"])}`
    );
    const sentences = this.text.split("\n").map((line) => `<p>${escapeHtml(line)}</p>`);
    return display({
      "text/html": [...sentences, ...frames].join("\n"),
      "text/plain": this.toString(),
    });
  }

  /** What a terminal shows. */
  [Symbol.for("Deno.customInspect")](): string {
    return this.toString();
  }
}
