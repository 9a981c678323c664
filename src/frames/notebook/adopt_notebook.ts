import { adoptCells } from "./adopt_cells.ts";
import { adoptFrames, type FrameFactory } from "./frame/adopt_frames.ts";
import { isAdopted } from "./kernel/kernel.ts";

/**
 * Prepares the current notebook: frames are shown with their provenance, cells wait until their output is sent, and failures of
 * promises that were not awaited are shown. Does nothing outside a kernel or with `SCOREFRAME_DISPLAY=polars`. Never throws.
 *
 * @param load Loads the module that creates frames
 */
export async function adoptNotebook(load: () => Promise<FrameFactory>): Promise<void> {
  if (!isAdopted()) return;
  adoptCells();
  await adoptFrames(load);
}
