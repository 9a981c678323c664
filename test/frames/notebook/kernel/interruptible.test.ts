import { afterEach, describe, expect, test, vi } from "vitest";
import { interruptible, sleep } from "../../../../src/frames/notebook/kernel/interruptible.ts";
import type { ListenToSignal } from "../../../../src/frames/notebook/kernel/kernel_signal.ts";

const signal = vi.hoisted(() => ({ listen: null as ListenToSignal | null }));
vi.mock("../../../../src/frames/notebook/kernel/kernel_signal.ts", () => ({
  kernelSignal: () => signal.listen,
}));

/** A notebook with a stop button. */
function stopButton() {
  const listeners = new Set<() => void>();
  signal.listen = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return { listeners, press: () => listeners.forEach((listener) => listener()) };
}

afterEach(() => void (signal.listen = null));

describe("interruptible()", () => {
  test("gives what the promise gives, and stops listening", async () => {
    const { listeners } = stopButton();
    expect(await interruptible(Promise.resolve(42))).toBe(42);
    await expect(interruptible(Promise.reject(new RangeError("no")))).rejects.toThrow("no");
    expect(listeners.size).toBe(0);
  });

  test("ends with the stop button", async () => {
    const { listeners, press } = stopButton();
    const waiting = interruptible(new Promise(() => {}));
    press();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    expect(listeners.size).toBe(0);
  });

  test("waits for the promise alone outside a notebook", async () => {
    expect(await interruptible(Promise.resolve("done"))).toBe("done");
  });
});

describe("sleep()", () => {
  test("waits as long as it is told, and no longer than until the stop button", async () => {
    vi.useFakeTimers();
    try {
      const { press } = stopButton();
      let isAwake = false;
      const sleeping = sleep(5_000).then(() => void (isAwake = true));
      await vi.advanceTimersByTimeAsync(4_999);
      expect(isAwake).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await sleeping;
      const stopped = sleep(5_000);
      press();
      await expect(stopped).rejects.toMatchObject({ name: "AbortError" });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([[-1, "-1"], [NaN, "NaN"], [2 ** 31, "2147483648"], ["5", '"5"']])(
    "refuses %s",
    async (ms, found) => {
      await expect(sleep(ms as number)).rejects.toThrow(
        `Cannot sleep: expected milliseconds from 0 to 2147483647, got ${found}`,
      );
    },
  );
});
