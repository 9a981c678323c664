import process from "node:process";
import { adoptFrames, type FrameFactory } from "./frame/adopt_frames.ts";
import { adoptResults } from "./kernel/adopt_results.ts";
import { announceRejections } from "./kernel/announce_rejections.ts";
import { findKernel } from "./kernel/kernel.ts";
import { valueBundle } from "./value_bundle.ts";

/**
 * Prepares the notebook that runs this code: it shows frames with their provenance, its cells wait until their output is
 * sent, and it shows failures of promises that were not awaited. Does nothing outside a kernel or with
 * `SCOREFRAME_DISPLAY=polars`. Never throws.
 *
 * @param load Loads the module that makes frames
 */
export async function adoptNotebook(load: () => Promise<FrameFactory>): Promise<void> {
  if (findKernel() === null || process.env["SCOREFRAME_DISPLAY"] === "polars") return;
  const beforeEnd = announceRejections();
  adoptResults((value) => valueBundle(value), { beforeEnd });
  await adoptFrames(load);
}
