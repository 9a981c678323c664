import type { DataFrame } from "nodejs-polars";
import { DISPLAY, type MimeBundle } from "../../notebook/display.ts";
import { type Displayed, type DisplayMethods, displayParts } from "./display_parts.ts";
import { paragraphsHtml } from "./paragraphs_html.ts";

/** A result of more than one frame, which displays itself: its text, then each frame with its name. */
export abstract class Parts implements Displayed {
  /** What the result says, in sentences. */
  abstract readonly text: string;

  /** The frames to show, with their names. */
  protected abstract parts(): Readonly<Record<string, DataFrame>>;

  /** The sentences for a notebook: a paragraph a line, unless a result lays them out itself. */
  protected sentencesHtml(): string {
    return paragraphsHtml(this.text);
  }

  /** The result as text. */
  toString(): string {
    return this.#shown().toString();
  }

  /** What a notebook shows. */
  [DISPLAY](): Promise<MimeBundle> {
    return this.#shown()[DISPLAY]();
  }

  /** What a terminal shows. */
  [Symbol.for("Deno.customInspect")](): string {
    return this.toString();
  }

  #shown(): DisplayMethods {
    return displayParts(() => this.text, () => this.parts(), {
      html: () => this.sentencesHtml(),
    });
  }
}
