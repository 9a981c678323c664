import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { LIMITS } from "../contract/limits.ts";
import { createScoreServer, type ScoreServer } from "../server/score_server.ts";
import { buildWorld } from "../world/build_world.ts";
import type { World } from "../world/world.ts";
import type { WorldSize } from "../world/world_options.ts";

/** What the demo is made of. */
export interface DemoOptions {
  /**
   * Size of the synthetic world: `small` is 60 tickers and made in half a second, `full` is 3,000 tickers and ten years.
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

/** Builds the synthetic world and serves it in process. */
export async function startDemo(options: DemoOptions = {}): Promise<DemoServer> {
  const { size = "small", seed = 7, rate = 0, folder = await temporaryFolder() } = options;
  const world = await buildWorld(folder, { size, seed });
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

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "scoreframe-demo-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
