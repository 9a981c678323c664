import { epochMsOf, type Instant, instantOf } from "../../../base/contract/instant.ts";
import { IntegrityError } from "../../../base/errors.ts";
import { readLockFile } from "../../../study/lock/lock_file.ts";
import { openServedStore } from "../../../study/served_store.ts";
import { repeatLastCheck } from "../../../server/engine/made_checks.ts";
import type { CheckSource } from "../../../base/store/checks/complete_check.ts";
import { Store } from "../../../base/store/store.ts";
import type { StoreReader } from "../../../base/store/store_reader.ts";
import { openTemporaryFolder } from "../../../base/disk/temporary_folder.ts";
import { buildWorld } from "../../../server/world/build_world.ts";
import { openWorld } from "../../../server/world/world.ts";
import type { World } from "../../../server/world/world.ts";
import { toWorldParameters } from "../../../server/world/world_options.ts";
import type { ServeOptions } from "./serve_options.ts";
import type { Terminal } from "../terminal.ts";

const HOUR_MS = 3_600_000;
const PLAIN = { time: null, notices: [] };

/** Store of a server, and the source of further checks. */
export interface ServeSource {
  /** The store. */
  readonly store: StoreReader;
  /** Source of the checks of further hours; `null` for a recording, which has none. */
  readonly checks: CheckSource | null;
  /** Time at which it is served unless another one is given; `null` for the present one. */
  readonly time: Instant | null;
  /** Notices of what is withheld, one sentence each. */
  readonly notices: readonly string[];
  /** Removes temporary files of this run. */
  dispose(): Promise<void>;
}

/** Opens the store to serve, or builds the world. */
export async function openServeSource(
  options: ServeOptions,
  terminal: Terminal,
): Promise<ServeSource> {
  if (options.study !== null) return await openStudyStore(options.study);
  if (options.store !== null) return await openStore(options.store);
  if (options.world === "full") {
    terminal.error("building the full world, which takes about fifteen seconds");
  }
  const folder = await openTemporaryFolder("serve");
  const dispose = () => Promise.resolve(folder.remove());
  try {
    const world = await buildWorld(folder.path, { size: options.world, end: worldEnd(options) });
    return { ...PLAIN, store: world.store, checks: world.source, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function openStore(path: string): Promise<ServeSource> {
  const store = await Store.open(path);
  const dispose = () => Promise.resolve();
  if (store.info.kind !== "world") return { ...PLAIN, store, checks: null, dispose };
  const world: World | null = await openWorld(path).catch(() => null);
  // A complete store that this library did not build is continued by repeating its last check.
  if (world === null) return { ...PLAIN, store, checks: repeatLastCheck(store), dispose };
  return { ...PLAIN, store: world.store, checks: world.source, dispose };
}

/**
 * The store of a study, with what the study shows at its time.
 *
 * @throws {IntegrityError} If the folder has no lock
 */
async function openStudyStore(folder: string): Promise<ServeSource> {
  const read = await readLockFile(folder);
  if (read === null) {
    throw new IntegrityError(
      `Cannot serve the study ${folder}: expected a study.lock.json, got none; give the folder of a study`,
    );
  }
  const store = await openServedStore(folder, read.lock);
  const { through, heldOut } = store.limit;
  const held = heldOut === null || heldOut.sessions === 0 ? [] : [
    `sessions from ${heldOut.from} on are held out: nothing after ${through} is served`,
  ];
  const releases = store.withheld.map(({ factor, downloadSha256 }) =>
    `the ${factor} release ${downloadSha256.slice(0, 12)}… reaches into the hold-out and is not ` +
    "served"
  );
  const notices = [...held, ...releases];
  return { store, checks: null, time: through, notices, dispose: () => Promise.resolve() };
}

// An instant inside the default world uses that world, so that runs at different instants have the same history.
function worldEnd(options: ServeOptions): string {
  const startMs = options.clock === null ? Date.now() : epochMsOf(options.clock);
  const { end, hours } = toWorldParameters({ size: options.world });
  const defaultEndMs = epochMsOf(end);
  const isInside = startMs <= defaultEndMs && startMs > defaultEndMs - hours * HOUR_MS;
  const isFixed = options.clock !== null;
  const endMs = isFixed && isInside ? defaultEndMs : Math.floor(startMs / HOUR_MS) * HOUR_MS;
  return instantOf(endMs);
}
