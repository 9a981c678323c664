import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { announceRejections } from "../../../../src/frames/notebook/adopt_cells.ts";
import type { KernelMessage } from "../../../../src/frames/notebook/kernel/kernel.ts";

function tell(target: EventTarget, type: string, reason: unknown, promise: unknown): Event {
  const event = Object.assign(new Event(type, { cancelable: true }), { reason, promise });
  target.dispatchEvent(event);
  return event;
}

function announced() {
  const sent: KernelMessage[] = [];
  const broadcast = (message: KernelMessage) => Promise.resolve(void sent.push(message));
  const target = new EventTarget();
  const announceNow = announceRejections({ kernel: { broadcast }, target });
  expect(announceRejections({ kernel: { broadcast }, target })).toBe(announceNow);
  return { sent, target, announceNow };
}

describe("announceRejections()", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("shows once the failure of a promise that was not awaited", async () => {
    const { sent, target } = announced();
    const error = new RangeError("too far");
    error.stack = "RangeError: too far";
    expect(tell(target, "unhandledrejection", error, {}).defaultPrevented).toBe(true);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent).toEqual([{
      type: "error",
      ename: "RangeError",
      evalue: "too far",
      traceback: [
        "A promise failed and was not awaited; await it where it is created:",
        "RangeError: too far",
      ],
    }]);
  });

  test("says nothing of a promise that is awaited some seconds later", async () => {
    const { sent, target } = announced();
    const promise = {};
    tell(target, "unhandledrejection", new Error("late"), promise);
    await vi.advanceTimersByTimeAsync(4_000);
    tell(target, "rejectionhandled", new Error("late"), promise);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent).toEqual([]);
  });

  test("announces at once at the end of a cell, and not again later", async () => {
    const { sent, target, announceNow } = announced();
    tell(target, "unhandledrejection", new Error("unheard"), {});
    const announcing = announceNow();
    await vi.advanceTimersByTimeAsync(100);
    await announcing;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent).toHaveLength(1);
  });

  test("leaves the program alone outside a notebook", async () => {
    const target = new EventTarget();
    await announceRejections({ kernel: null, target })();
    expect(tell(target, "unhandledrejection", new Error("any"), {}).defaultPrevented).toBe(false);
  });
});
