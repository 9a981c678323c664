// @heavy: a Jupyter kernel
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createScoreServer, type ScoreListener, type ScoreServer } from "../src/server/mod.ts";
import { Relay } from "../src/desk/relay/relay.ts";
import { startProxy, type TestProxy } from "./desk/relay/_proxy.ts";
import { lacksProgram } from "./helpers/lacks_program.ts";
import { buildWorld } from "../src/server/world/build_world.ts";
import {
  type Notebook,
  startJupyter,
  type TestJupyter,
  tidyNotebook,
} from "./helpers/jupyter/jupyter.ts";
import { describeWithJupyter } from "./helpers/jupyter/needs_jupyter.ts";
import {
  differencesOf,
  notebookNames,
  NOTEBOOKS,
  readNotebook,
  runWhole,
  sourceOf,
} from "./helpers/jupyter/notebook_files.ts";
import { ROOT } from "./helpers/source_files.ts";

const LONG_MS = 900_000;
const COST = /whole\s+notebook\s+(?:then\s+)?costs\s+\*\*(\d+) requests? and (\d+) downloads?\*\*/;
// What differs on a service: its answers arrive now, and nothing says of own prices that they are synthetic.
const SYNTHETIC = /( ·|[,.])? ?(<(\w+)[^>]*>synthetic<\/\3>|\[synthetic\]|synthetic( rows)?)/gi;
const DEMO_CLOCK = "2026-11-20 15:0[01]Z|2026-11-21 00:00Z";
// Own prices, and what is true of them, lie beside the notebook; imports are found from there upwards.
// The relay has an account of its own: the costs of the notebooks are counted against theirs.
const RELAYED = "relay";
const PLACE = join(ROOT, ".scoreframe", "live");

await describeWithJupyter("notebooks that SCOREFRAME_URL points at a service", () => {
  let jupyter: TestJupyter;
  let folder: string;
  let server: ScoreServer;
  let listener: ScoreListener;

  beforeAll(async () => {
    jupyter = await startJupyter();
    folder = await mkdtemp(join(tmpdir(), "scoreframe-live-"));
    const world = join(folder, "world");
    const { store } = await buildWorld(world);
    await mkdir(PLACE, { recursive: true });
    for (const name of ["closes.csv", "truth.json"]) {
      await cp(join(world, name), join(PLACE, name));
    }
    server = createScoreServer({
      store,
      clock: { at: "2026-11-20T15:00:00Z" },
      accounts: [...notebookNames, RELAYED].map((name) => ({
        id: name,
        factors: ["ecpnd", "ecqdi"],
        keys: [{ key: keyOf(name) }],
        // The clock stands still, so that no minute ends.
        limits: { requestsPerMinute: 10_000 },
      })),
    });
    listener = await server.listen();
  }, LONG_MS);
  afterAll(async () => {
    await listener?.close();
    await server?.close();
    await jupyter?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
    await rm(PLACE, { recursive: true, force: true });
  }, LONG_MS);

  test(
    "the quickstart runs unchanged through a relay behind nginx, and costs a second reader no download",
    async () => {
      const state = join(folder, "relay-state");
      const relay = await Relay.open({
        ...{ state, apiKey: keyOf(RELAYED), baseUrl: listener.url, environment: {} },
        store: join(folder, "relay-store"),
        cacheDir: join(folder, "relay-cache"),
      });
      let nginx: TestProxy | null = null;
      try {
        await relay.confirm();
        const { url } = await relay.listen();
        if (!lacksProgram("nginx", "the relay of a notebook behind a proxy")) {
          nginx = await startProxy("nginx", folder, url);
        }
        const committed = await readNotebook("00_quickstart.ipynb");
        const spent: number[] = [];
        for (const name of ["ann", "bob"]) {
          const key = await relay.users.add(
            { name, requests: null, downloads: null, admin: false },
            { environment: "sandbox", now: new Date().toISOString() },
          );
          const begun = Date.now();
          const before = server.journal.entries.length;
          const executed = await jupyter.execute(committed, PLACE, {
            SCOREFRAME_URL: nginx?.url ?? url,
            SCOREFRAME_API_KEY: key,
            ...(nginx !== null && { DENO_CERT: nginx.certificate }),
            XDG_CACHE_HOME: await mkdtemp(join(folder, "cache-")),
          });
          const times = [DEMO_CLOCK, instantsFrom(begun)];
          expect(differencesOf(unmarked(committed), unmarked(tidyNotebook(executed)), times))
            .toEqual([]);
          const since = server.journal.entries.slice(before);
          spent.push(since.reduce((sum, { spentDownloads }) => sum + spentDownloads, 0));
        }
        expect(spent).toEqual([1, 0]);
      } finally {
        await nginx?.close();
        await relay.close();
      }
    },
    LONG_MS,
  );

  test.each(notebookNames)(
    "notebooks/%s shows the same, and costs what its first words say",
    async (name) => {
      const committed = await readNotebook(name);
      const stated = COST.exec(sourceOf(committed.cells[0]!));
      expect(stated, "the costs are stated in the first cell").not.toBeNull();
      let before = 0;
      const differences = await runWhole(name, async () => {
        const begun = Date.now();
        before = server.journal.entries.length;
        const cwd = name.includes("/") ? dirname(join(NOTEBOOKS, name)) : PLACE;
        const executed = await jupyter.execute(committed, cwd, {
          SCOREFRAME_URL: listener.url,
          SCOREFRAME_API_KEY: keyOf(name),
          // An empty store: what it already has would cost nothing.
          XDG_CACHE_HOME: await mkdtemp(join(folder, "cache-")),
        });
        const times = [DEMO_CLOCK, instantsFrom(begun)];
        return differencesOf(unmarked(committed), unmarked(tidyNotebook(executed)), times);
      });
      expect(differences).toEqual([]);
      // The server writes a request down when its delivery has ended, which a client need not wait for.
      await expect.poll(() => spentText(server.journal.entries.slice(before)))
        .toBe(`${stated![1]} requests, ${stated![2]} downloads`);
    },
    LONG_MS,
  );
});

function spentText(entries: ScoreServer["journal"]["entries"]): string {
  const requests = entries.reduce((sum, { spentRequests }) => sum + spentRequests, 0);
  const downloads = entries.reduce((sum, { spentDownloads }) => sum + spentDownloads, 0);
  return `${requests} requests, ${downloads} downloads`;
}

function unmarked(notebook: Notebook): Notebook {
  return JSON.parse(JSON.stringify(notebook).replaceAll(SYNTHETIC, ""));
}

/** Instants of a day and of the next one, as tables show them. */
function instantsFrom(epochMs: number): string {
  const days = [0, 86_400_000].map((ms) => new Date(epochMs + ms).toISOString().slice(0, 10));
  return String.raw`(${days.join("|")}) \d{2}:\d{2}(:\d{2}(\.\d+)?)?Z`;
}

function keyOf(name: string): string {
  return `svc_test_notebook_${basename(name).slice(0, 2)}`;
}
