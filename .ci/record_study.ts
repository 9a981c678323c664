/**
 * Records the study of notebooks/05_reproduce_and_share anew, from a world that is served over a socket. Its notebook is
 * executed by whoever edits it; a test tells whether the recording is still what the world gives.
 *
 * @module
 */
import { join } from "node:path";
import { createScoreServer } from "../src/server/mod.ts";
import { openStudyFolder } from "../src/study/open_study_folder.ts";
import { openTemporaryFolder } from "../src/base/disk/temporary_folder.ts";
import { buildWorld } from "../src/server/world/mod.ts";

const KEY = "svc_test_example";
const CLOSES = ["2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19"]
  .map((date) => `${date}T21:00:00Z`);

/** Records the study into a folder. */
export async function recordStudy(folder: string): Promise<void> {
  const temporary = await openTemporaryFolder("record");
  const { store } = await buildWorld(join(temporary.path, "world"));
  const server = createScoreServer({
    store,
    accounts: [{ id: "me", factors: ["ecpnd", "ecqdi"], keys: [{ key: KEY }] }],
    clock: { at: "2026-11-20T15:00:00Z" },
  });
  const listener = await server.listen();
  try {
    await using study = await openStudyFolder(folder, {
      apiKey: KEY,
      baseUrl: listener.url,
      cacheDir: join(temporary.path, "cache"),
      mode: "auto",
      environment: {},
    });
    await study.scores("ecpnd");
    await study.scores("ecpnd", { at: CLOSES[0]! });
    await study.panel(["ecpnd", "ecqdi"], { at: CLOSES, progress: false });
    await study.publications("ecpnd", { from: "2026-11-19T00:00:00Z" });
  } finally {
    await listener.close();
    await server.close();
    temporary.remove();
  }
}

if (import.meta.main) {
  const folder = join(import.meta.dirname!, "../notebooks/05_reproduce_and_share");
  for (const name of ["study.lock.json", "store"]) {
    await Deno.remove(join(folder, name), { recursive: true }).catch(() => {});
  }
  await recordStudy(folder);
}
