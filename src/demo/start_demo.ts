import {
  ANY_VALUE,
  checkOptions,
  oneOf,
  type OptionRules,
  TEXT,
} from "../arguments/check_options.ts";
import { LIMITS } from "../contract/limits.ts";
import { StorageError } from "../errors.ts";
import { createScoreServer, type ScoreServer } from "../server/score_server.ts";
import { openTemporaryFolder } from "../store/disk/temporary_folder.ts";
import { buildWorld } from "../world/build_world.ts";
import type { World } from "../world/world.ts";
import type { WorldSize } from "../world/world_options.ts";

/** What the demo is made of. */
export interface DemoOptions {
  /**
   * Size of the synthetic world: `small` is 60 tickers and made in half a second, `full` is 3,000 tickers and ten years and
   * takes some ten seconds.
   *
   * @default "small"
   */
  readonly size?: WorldSize;
  /**
   * Seed of every number.
   *
   * @default 7
   */
  readonly seed?: number;
  /**
   * Folder of the world, made or reused.
   *
   * @default a temporary folder that is removed when the process ends
   */
  readonly folder?: string;
  /**
   * Server seconds per real second; 0 lets the server's clock stand still at the end of the world.
   *
   * @default 0
   */
  readonly rate?: number;
}

/** An embedded server over a synthetic world. */
export interface DemoServer {
  /** The server. */
  readonly server: ScoreServer;
  /** What it serves. */
  readonly world: World;
  /** Key of its only account, which is licensed for both factors. */
  readonly apiKey: string;
}

const DEMO_KEY = "svc_test_demo";
const DEMO_RULES: OptionRules<DemoOptions> = {
  size: oneOf("small", "full"),
  seed: ANY_VALUE,
  folder: TEXT,
  rate: ANY_VALUE,
};

/**
 * Builds the synthetic world and serves it in process.
 *
 * @throws {TypeError} If an option does not exist, or its value is of another kind
 * @throws {StorageError} If the folder cannot be written
 * @throws {RangeError} If a number is out of range, or the folder holds something else
 */
export async function startDemo(options: DemoOptions = {}): Promise<DemoServer> {
  checkOptions("demo()", options, DEMO_RULES);
  const { size = "small", seed = 7, rate = 0 } = options;
  const folder = options.folder ?? (await openTemporaryFolder("demo")).path;
  const world = await buildWorld(folder, { size, seed }).catch((error) => {
    throw isOfSystem(error) ? unusable(folder, error) : error;
  });
  const server = createScoreServer({
    store: world.store,
    accounts: [{
      id: "demo",
      factors: ["ecpnd", "ecqdi"],
      keys: [{ key: DEMO_KEY }],
      // While the clock stands still no minute ends, so that the day's allowance has to fit into one.
      limits: { requestsPerMinute: LIMITS.requestsPerDay },
    }],
    // Hourly checks go on with a clock that runs.
    ...(rate > 0 && { checks: world.source }),
  });
  server.clock.set(world.parameters.end, { rate });
  return { server, world, apiKey: DEMO_KEY };
}

/** Whether the operating system refused something, rather than this library. */
function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error;
}

function unusable(folder: string, cause: Error): StorageError {
  const message = `Cannot use the folder ${folder}: expected a folder that can be written, got ` +
    `"${cause.message}"; give demo() another folder`;
  return new StorageError(message, { cause });
}
