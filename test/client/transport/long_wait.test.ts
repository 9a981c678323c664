import { describe, expect, test } from "vitest";
import { type LongWait, waitAloud } from "../../../src/client/transport/long_wait.ts";

const NOW = Date.parse("2026-11-20T15:00:05.000Z");

async function hear(waitMs: number) {
  const heard: (LongWait | "slept" | "ended")[] = [];
  const clock = {
    now: () => NOW,
    sleep: () => Promise.resolve().then(() => void heard.push("slept")),
    random: () => 0,
  };
  const { signal } = new AbortController();
  const onWait = (wait: LongWait) => {
    heard.push(wait);
    return () => void heard.push("ended");
  };
  await waitAloud(clock, waitMs, { because: "of rain", signal, onWait });
  return heard;
}

describe("a wait", () => {
  test("of three seconds is told before it begins and when it has ended, and a shorter one is not", async () => {
    expect(await hear(3_000)).toEqual([
      { untilMs: NOW + 3_000, because: "of rain" },
      "slept",
      "ended",
    ]);
    expect(await hear(2_999)).toEqual(["slept"]);
  });

  test("ends with its signal", async () => {
    const clock = {
      now: () => NOW,
      sleep: (_waitMs: number, signal?: AbortSignal) => Promise.reject(signal!.reason),
      random: () => 0,
    };
    const signal = AbortSignal.abort("stopped");
    await expect(waitAloud(clock, 5_000, { because: "of rain", signal })).rejects.toBe("stopped");
  });
});
