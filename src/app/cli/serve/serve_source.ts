import { epochMsOf, instantOf } from "../../../base/contract/instant.ts";
import { repeatLastCheck } from "../../../server/engine/repeat_last_check.ts";
import type { CheckSource } from "../../../base/store/checks/complete_check.ts";
import { Store } from "../../../base/store/store.ts";
import type { StoreReader } from "../../../base/store/store_reader.ts";
import { openTemporaryFolder } from "../../../base/disk/temporary_folder.ts";
import { buildWorld } from "../../../server/world/build_world.ts";
import { openWorld } from "../../../server/world/open_world.ts";
import type { World } from "../../../server/world/world.ts";
import { toWorldParameters } from "../../../server/world/world_options.ts";
import type { ServeOptions } from "./serve_options.ts";
import type { Terminal } from "../terminal.ts";

const HOUR_MS = 3_600_000;

/** Store of a server, and the source of further checks. */
export interface ServeSource {
  /** The store. */
  readonly store: StoreReader;
  /** Source of the checks of further hours; `null` for a recording, which has none. */
  readonly checks: CheckSource | null;
  /** Removes temporary files of this run. */
  dispose(): Promise<void>;
}

/** Opens the store to serve, or builds the world. */
export async function openServeSource(
  options: ServeOptions,
  terminal: Terminal,
): Promise<ServeSource> {
  if (options.store !== null) return await openStore(options.store);
  if (options.world === "full") {
    terminal.error("building the full world, which takes about fifteen seconds");
  }
  const folder = await openTemporaryFolder("serve");
  const dispose = () => Promise.resolve(folder.remove());
  try {
    const world = await buildWorld(folder.path, { size: options.world, end: worldEnd(options) });
    return { store: world.store, checks: world.source, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function openStore(path: string): Promise<ServeSource> {
  const store = await Store.open(path);
  const dispose = () => Promise.resolve();
  if (store.info.kind !== "world") return { store, checks: null, dispose };
  const world: World | null = await openWorld(path).catch(() => null);
  // A complete store that this library did not build is continued by repeating its last check.
  if (world === null) return { store, checks: repeatLastCheck(store), dispose };
  return { store: world.store, checks: world.source, dispose };
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
