import { Worker } from "node:worker_threads";
import { StorageError } from "../../../base/errors.ts";
import type { WorldParameters } from "../world_options.ts";
import type { HoursReply, HoursWork } from "./hours_worker.ts";
import type { HoursTarget } from "./hours_writer.ts";

/** Writes the hours of a world on another thread while its releases are written. */
export async function writeHoursInWorker(
  { storePath, onHours }: HoursTarget,
  parameters: WorldParameters,
): Promise<void> {
  // The package for Node has .js files.
  const extension = import.meta.url.endsWith(".js") ? "js" : "ts";
  const url = new URL(`./hours_worker.${extension}`, import.meta.url);
  const workerData: HoursWork = { storePath, parameters };
  const worker = new Worker(url, { workerData });
  try {
    await new Promise<void>((resolve, reject) => {
      worker.on("error", reject);
      worker.on("message", (reply: HoursReply) => {
        if (reply.kind === "written") onHours(reply.hours);
        else if (reply.kind === "finished") resolve();
        else reject(new StorageError(`Cannot write the hours of a world: ${reply.message}`));
      });
    });
  } finally {
    await worker.terminate();
  }
}

/** Never called; packers and caches follow imports, not the URLs of workers, and this import makes them include the worker. */
function _nameWorker(): Promise<unknown> {
  return import("./hours_worker.ts");
}
