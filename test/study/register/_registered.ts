import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStudy } from "../../../src/app/demo/open_study.ts";
import type { Study } from "../../../src/study/study.ts";
import type { StudyOptions } from "../../../src/study/study_options.ts";
import { createScoreServer } from "../../../src/server/mod.ts";
import { buildWorld } from "../../../src/server/world/mod.ts";

/** Key of the account. */
export const TEST_KEY = "svc_test_example";

/** The plan of the tests; sessions from 3 August 2026 on are held out. */
export const PLAN = {
  question: "Does ecpnd rank returns?",
  factor: "ecpnd",
  horizons: [5, 1],
  prices: "closes.csv",
  holdOut: { from: "2026-08-03" },
} as const;

/** A server over a world of a year whose clock is set by tests, and folders with its closes. */
export async function startRegistered(options: { readonly hours?: number } = {}) {
  const home = await mkdtemp(join(tmpdir(), "scoreframe-registered-"));
  const world = await buildWorld(join(home, "world"), {
    ...{ tickers: 30, years: 1, hours: 48 },
    ...options,
  });
  const clock = { ms: Date.parse("2026-11-20T15:00:00Z") };
  const server = createScoreServer({
    store: world.store,
    accounts: [{ id: "me", factors: ["ecpnd"], keys: [{ key: TEST_KEY }] }],
    now: () => clock.ms,
  });
  const opened: Study[] = [];
  let sent = 0;
  const open = async (folder: string, options: StudyOptions) => {
    const study = await openStudy(folder, { now: () => clock.ms, environment: {}, ...options });
    opened.push(study);
    return study;
  };
  const fetch = (...given: Parameters<typeof server.fetch>) => {
    sent++;
    return server.fetch(...given);
  };
  return {
    clock,
    server,
    /** Number of requests so far. */
    requests: () => sent,
    /** An empty folder for a study, with closes. */
    makeFolder: async (name: string) => {
      const folder = join(home, name);
      await mkdir(folder);
      await copyFile(join(world.store.path, "closes.csv"), join(folder, "closes.csv"));
      return folder;
    },
    open: (folder: string, options: StudyOptions = {}) =>
      open(folder, { mode: "auto", apiKey: TEST_KEY, fetch, ...options }),
    openFrozen: (folder: string) =>
      open(folder, {
        mode: "frozen",
        fetch: () => Promise.reject(new Error("a frozen study sent something")),
      }),
    close: async () => {
      for (const study of opened) await study.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
