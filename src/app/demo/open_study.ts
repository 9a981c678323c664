import type { Study } from "../../study/study.ts";
import type { RunRegistered } from "../../study/register/open_hold_out.ts";
import type { StudyOptions } from "../../study/study_options.ts";
import type { DemoOptions, DemoServer } from "./start_demo.ts";
import { checkOptions, either, FLAG, objectLike } from "../../base/arguments/check_options.ts";

const DEMO = either(FLAG, objectLike<DemoOptions>("{ seed: 7 }"));
const END = "2026-11-20T15:00:00.000Z";

/**
 * Opens a study: a folder with a lock and a store, whose verbs give the same numbers at any time and on any machine.
 *
 * Opening sends and writes nothing. The first load of a new study pins its time; each load keeps its data in `store/` and a
 * line with its result in `study.lock.json`. From then on the same call is answered from the store.
 *
 * With `demo: true` it loads from the embedded server of `demo()`, without a key and without a network; every row then says
 * `synthetic`.
 *
 * @param folder Folder of the study, which may be new; without it the nearest one with a lock, from the working directory
 *   upwards
 * @param options Time, mode, and the options of `connect()`, which are needed only to load; `demo` loads from the embedded server
 *   of `demo()`, and its options configure the world
 * @returns The verbs of a connection, at the study's time
 * @throws {ScoreframeError} If there is no study, or its time is not `asOf`
 * @throws {IntegrityError} If `study.lock.json` is not a lock
 * @throws {TypeError} If an option or SCOREFRAME_STUDY_MODE has an invalid value
 * @example
 * ```ts
 * import { openStudy } from "scoreframe";
 * import { createScoreServer } from "scoreframe/server";
 * import { buildWorld } from "scoreframe/world";
 * import assert from "node:assert/strict";
 *
 * const { store } = await buildWorld(await Deno.makeTempDir()); // stands for the service
 * const server = createScoreServer({
 *   store,
 *   accounts: [{ id: "me", factors: ["ecpnd"], keys: [{ key: "svc_test_example" }] }],
 *   clock: { at: "2026-11-20T15:00:00Z" },
 * });
 * const folder = await Deno.makeTempDir(); // say, "./momentum"
 * const study = await openStudy(folder, {
 *   mode: "auto",
 *   apiKey: "svc_test_example",
 *   fetch: server.fetch,
 * });
 * const scores = await study.scores("ecpnd");
 * await study.close();
 *
 * const later = await openStudy(folder, { mode: "frozen" }); // neither key nor network
 * const again = await later.scores("ecpnd");
 * assert.ok(again.select("ticker", "ecpnd_score").frameEqual(scores.select("ticker", "ecpnd_score")));
 * ```
 */
export async function openStudy(
  folder?: string,
  options: StudyOptions & { readonly demo?: boolean | DemoOptions } = {},
): Promise<Study> {
  const [{ openStudyFolder: open }, { STUDY_RULES }] = await Promise.all([
    import("../../study/open_study_folder.ts"),
    import("../../study/study_options.ts"),
  ]);
  checkOptions("call openStudy()", options, { ...STUDY_RULES, demo: DEMO });
  const { demo = false, ...others } = options;
  return await open(folder, demo === false ? others : { ...embeddedService(demo), ...others }, run);
}

// Loaded when a hold-out is opened: a study that only loads scores needs no analysis.
async function run(...given: Parameters<RunRegistered>): ReturnType<RunRegistered> {
  const { registeredNumbers } = await import("../../analysis/factor/scores_origin.ts");
  return registeredNumbers(...given);
}

/**
 * The embedded server of `demo()` as a study's service. Its world is built with the first request, so that a complete study
 * opens at once.
 */
function embeddedService(
  demo: true | DemoOptions,
): Pick<StudyOptions, "apiKey" | "baseUrl" | "fetch" | "now"> {
  const options = demo === true ? {} : demo;
  let started: Promise<DemoServer> | undefined;
  let nowMs = () => Date.parse(options.end ?? END);
  const start = async () => {
    const { startDemo } = await import("./start_demo.ts");
    const server = await startDemo(options);
    nowMs = () => server.server.clock.nowMs();
    return server;
  };
  return {
    apiKey: "svc_test_demo",
    baseUrl: "http://localhost",
    fetch: async (request) => await (await (started ??= start())).server.fetch(request),
    now: () => nowMs(),
  };
}
