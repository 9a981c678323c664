import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { delay } from "../../../src/client/transport/clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether a promise has ended. */
function watch(promise: Promise<unknown>) {
  const seen = { ended: false, reason: undefined as unknown };
  promise.then(
    () => void (seen.ended = true),
    (reason) => Object.assign(seen, { ended: true, reason }),
  );
  return seen;
}

describe("sleep()", () => {
  test("takes the time that was asked for, also beyond the longest timer of the platform", async () => {
    const days = 40 * 86_400_000;
    const seen = watch(delay(days));
    await vi.advanceTimersByTimeAsync(days - 1);
    expect(seen.ended).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toEqual({ ended: true, reason: undefined });
  });

  test("ends with the signal's reason, and leaves no timer", async () => {
    const controller = new AbortController();
    const seen = watch(delay(60_000, controller.signal));
    await vi.advanceTimersByTimeAsync(100);
    controller.abort("stopped");
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual({ ended: true, reason: "stopped" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("of no time at all still heeds a signal that was aborted before", async () => {
    const seen = watch(delay(0, AbortSignal.abort("stopped")));
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.reason).toBe("stopped");
  });
});
