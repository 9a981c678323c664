import { parentPort } from "node:worker_threads";
import { countRejections } from "../test/analysis/calibration/rejections.ts";

/** Counts the rejections of a batch of worlds at a time. */
parentPort!.on("message", ({ seeds, tests }) => {
  parentPort!.postMessage(countRejections(seeds, tests));
});
