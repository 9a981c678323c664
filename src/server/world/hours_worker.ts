/**
 * Worker of `writeHoursInWorker()`, which writes the hours of a world.
 *
 * @module
 */
import { parentPort, workerData } from "node:worker_threads";
import { makeWorldModel } from "./world_model.ts";
import type { WorldParameters } from "./world_options.ts";
import { hoursPlanOf, writeHours } from "./write_hours.ts";

/** Input of the worker. */
export interface HoursWork {
  /** Folder of the store. */
  readonly storePath: string;
  /** Parameters of the world. */
  readonly parameters: WorldParameters;
}

/** Answer of the worker: progress, completion, or the reason of a failure. */
export type HoursReply =
  | { readonly kind: "written"; readonly hours: number }
  | { readonly kind: "finished" }
  | { readonly kind: "failed"; readonly message: string };

const port = parentPort;
if (port !== null) {
  const { storePath, parameters } = workerData as HoursWork;
  const reply = (message: HoursReply) => port.postMessage(message);
  const onHours = (hours: number) => reply({ kind: "written", hours });
  writeHours(storePath, hoursPlanOf(makeWorldModel(parameters)), onHours).then(
    () => reply({ kind: "finished" }),
    (error: unknown) => reply({ kind: "failed", message: String(error) }),
  );
}
