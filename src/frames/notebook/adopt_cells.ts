import { adoptResults } from "./kernel/adopt_results.ts";
import { announceRejections } from "./kernel/announce_rejections.ts";
import { isAdopted } from "./kernel/kernel.ts";
import { valueBundle } from "./value_bundle.ts";

adoptCells();

/**
 * Makes each cell of the current notebook wait until its output is sent, so that no output is lost or shown under another cell,
 * and show failures of promises that were not awaited. Importing this module has this effect, because cells before `connect()`
 * show results, too. Does nothing outside a kernel or with `SCOREFRAME_DISPLAY=polars`.
 */
export function adoptCells(): void {
  if (!isAdopted()) return;
  const beforeEnd = announceRejections();
  adoptResults((value) => valueBundle(value), { beforeEnd });
}
