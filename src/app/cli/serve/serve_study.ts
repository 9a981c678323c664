import { join } from "node:path";
import { readLockFile } from "../../../study/lock/lock_file.ts";
import { IntegrityError } from "../../../base/errors.ts";
import type { ServeOptions } from "./serve_options.ts";

/**
 * Options that serve a study's store, with the clock standing still at the study's time unless another one is given.
 *
 * @throws {IntegrityError} If the folder has no lock
 */
export async function withStudy(options: ServeOptions): Promise<ServeOptions> {
  const { study, clock, clockRate } = options;
  if (study === null) return options;
  const read = await readLockFile(study);
  if (read === null) {
    throw new IntegrityError(
      `Cannot serve the study ${study}: expected a study.lock.json, got none; give the folder of a study`,
    );
  }
  const standing = clock === null ? { clock: read.lock.asOf, clockRate: 0 } : { clock, clockRate };
  return { ...options, store: join(study, "store"), ...standing };
}
