import { describe } from "../../base/contract/violation.ts";
import type { StudyOptions } from "../../study/study_options.ts";
import type { DemoOptions, DemoServer } from "./start_demo.ts";

const END = "2026-11-20T15:00:00.000Z";

/**
 * The embedded server of `demo()` as a study's service. Its world is built with the first request, so that a complete study
 * opens at once.
 *
 * @throws {TypeError} If it is neither `true` nor options of `demo()`
 */
export function embeddedService(
  demo: boolean | DemoOptions,
): Pick<StudyOptions, "apiKey" | "baseUrl" | "fetch" | "now"> {
  if (demo !== true && (typeof demo !== "object" || demo === null)) {
    throw new TypeError(
      `Cannot use the option demo of openStudy(): expected true or an object of options, such as { seed: 7 }, got ${
        describe(demo)
      }`,
    );
  }
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
