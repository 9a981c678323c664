import { describe, expect, test } from "vitest";
import { Notices } from "../../../src/client/verb/notices.ts";
import type { Check } from "../../../src/base/contract/scores/check.ts";
import { createCredential } from "../../../src/client/transport/wire/credential.ts";

const KEY = "svc_test_notices0123456789";

function listen() {
  const heard: string[] = [];
  const logger = { debug: () => {}, warn: (message: string) => void heard.push(message) };
  return { heard, notices: new Notices(createCredential(KEY), logger) };
}

const check = (change: { status?: string; extra?: object; coverage?: object } = {}) => ({
  status: change.status ?? "current",
  extra: change.extra ?? {},
  coverage: { extra: change.coverage ?? {} },
} as unknown as Check);

describe("notices", () => {
  test("name unknown fields of a check and of its coverage, each once", () => {
    const { heard, notices } = listen();
    const odd = check({ extra: { edition: 1, synthetic: true }, coverage: { paused: 2 } });
    notices.aboutCheck(odd);
    notices.aboutCheck(odd);
    expect(heard).toEqual([
      "The service sent fields that the API document does not define: edition, paused; they are " +
      "kept in the store",
    ]);
  });

  test("say nothing about a check as the API document has it", () => {
    const { heard, notices } = listen();
    notices.aboutCheck(check());
    notices.aboutCheck(check({ status: "stale", extra: { synthetic: true } }));
    expect(heard).toEqual([]);
  });

  test("show no key, wherever the service put it", () => {
    const { heard, notices } = listen();
    notices.aboutCheck(check({ status: KEY, extra: { [KEY]: 1 } }));
    expect(heard).toHaveLength(2);
    expect(heard.join()).not.toContain("notices0123");
  });

  test("say since when something waits whose end is not known, once for all that wait for it", () => {
    const { heard, notices } = listen();
    const wait = {
      untilMs: null,
      sinceMs: Date.parse("2026-11-20T15:00:05.900Z"),
      because: "full",
    };
    notices.aboutWait(wait);
    notices.aboutWait(wait);
    expect(heard)
      .toEqual(["Waiting since 2026-11-20T15:00:05Z: full; maxWaitMs bounds such waits"]);
  });
});
