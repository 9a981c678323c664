import type { MimeBundle } from "./display.ts";
import { preHtml } from "./pre_html.ts";

/** Display of an error: its name and its message. */
export function errorBundle(error: unknown): MimeBundle {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    "text/html": preHtml(text),
    "text/plain": text,
  };
}
