import process from "node:process";
import { escapeHtml } from "../escape_html.ts";
import { findKernel, type Kernel } from "./kernel.ts";

/** Options of {@link sayNotice}. */
export interface NoticeOptions {
  /**
   * The kernel to show it in; `null` is a process without a notebook.
   * @default the kernel that runs this code, if any
   */
  readonly kernel?: Kernel | null;
}

/**
 * Says something beside what a load gives: under the cell of a notebook, whose kernel shows no warnings of the process,
 * and elsewhere as such a warning. Never throws, and nothing waits for it.
 */
export function sayNotice(text: string, options: NoticeOptions = {}): void {
  const { kernel = findKernel() } = options;
  if (kernel === null) return process.emitWarning(text, "ScoreframeNotice");
  const data = { "text/html": `<small>${escapeHtml(text)}</small>`, "text/plain": text };
  kernel.broadcast({ type: "display_data", data }).catch(() => {});
}
