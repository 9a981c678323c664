import { parentPort } from "node:worker_threads";
import { countCurves } from "../test/analysis/calibration/curve_worlds.ts";
import { countFamilies } from "../test/analysis/calibration/family_worlds.ts";
import { NOISE_WORLD } from "../test/analysis/calibration/noise_world.ts";
import { countPermutations } from "../test/analysis/calibration/permutation_worlds.ts";
import { countPremia } from "../test/analysis/calibration/premium_worlds.ts";
import { countRejections } from "../test/analysis/calibration/rejections.ts";

/** Counts the rejections of a batch of worlds at a time. */
parentPort!.on("message", async ({ seeds, tests, families, only }) => {
  if (only === "premia") {
    const rejections = countPremia(seeds);
    parentPort!.postMessage({ rejections, permutations: [], families: [], curves: [] });
    return;
  }
  const curves = families ? [await countCurves(seeds)] : [];
  if (only === "curves") {
    parentPort!.postMessage({ rejections: [], permutations: [], families: [], curves });
    return;
  }
  parentPort!.postMessage({
    rejections: countRejections(seeds, tests),
    permutations: countPermutations(seeds),
    families: families ? countFamilies(seeds, NOISE_WORLD) : [],
    curves,
  });
});
