import { describe, expect, test } from "vitest";
import { beginVerb, type ConnectionContext } from "../../../src/client/verb/connection_context.ts";

const stopButton = () => {
  const controller = new AbortController();
  const context = { interrupt: { signal: controller.signal } } as unknown as ConnectionContext;
  return { context, press: () => controller.abort("stopped") };
};

describe("a verb", () => {
  test("ends with the stop button, and with the caller's own signal", () => {
    const { context, press } = stopButton();
    const caller = new AbortController();
    const [stopped, cancelled] = [beginVerb(context, {}), beginVerb(context, caller)];
    caller.abort("cancelled");
    expect([stopped.signal!.aborted, cancelled.signal!.reason]).toEqual([false, "cancelled"]);
    press();
    expect(stopped.signal!.reason).toBe("stopped");
  });

  test("gives its requests one patience of what its caller bounded, and nothing that was left out", () => {
    const { context } = stopButton();
    const options = beginVerb(context, { deadlineMs: 5_000, maxWaitMs: 70 });
    expect(options.patience!.deadlineMs).toBe(5_000);
    expect(options.patience!.waits!.totalMs).toBe(70);
    expect(Object.keys(options).sort()).toEqual(["deadlineMs", "maxWaitMs", "patience", "signal"]);
    const { patience } = beginVerb(context, {});
    expect([patience!.leftMs, patience!.waits]).toEqual([null, null]);
  });
});
