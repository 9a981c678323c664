import process from "node:process";
import { escapeHtml } from "../html.ts";
import { type DisplayOptions, findKernel } from "./kernel.ts";

/** A notice that can be replaced once it no longer applies. */
export interface Notice {
  /** Replaces the text in a notebook; a process warning does not change. */
  replace(text: string): void;
}

/**
 * Shows a notice about a load: under the cell of a notebook, whose kernel shows no process warnings, and elsewhere as a process
 * warning. Never throws, and never delays anything.
 */
export function sayNotice(text: string, options: DisplayOptions = {}): Notice {
  const { kernel = findKernel() } = options;
  if (kernel === null) {
    process.emitWarning(text, "ScoreframeNotice");
    return { replace: () => {} };
  }
  const displayId = crypto.randomUUID();
  const send = (type: "display_data" | "update_display_data", shown: string) => {
    const data = { "text/html": `<small>${escapeHtml(shown)}</small>`, "text/plain": shown };
    kernel.broadcast({ type, displayId, data }).catch(() => {});
  };
  send("display_data", text);
  return { replace: (later) => send("update_display_data", later) };
}
