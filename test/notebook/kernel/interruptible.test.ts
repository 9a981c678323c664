import { describe, expect, test, vi } from "vitest";
import { interruptible } from "../../../src/notebook/kernel/interruptible.ts";
import { sleep } from "../../../src/notebook/kernel/sleep.ts";

function stopButton() {
  const listeners = new Set<() => void>();
  const listen = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return { listeners, listen, press: () => listeners.forEach((listener) => listener()) };
}

describe("interruptible()", () => {
  test("gives what the promise gives, and stops listening", async () => {
    const { listen, listeners } = stopButton();
    expect(await interruptible(Promise.resolve(42), { listen })).toBe(42);
    await expect(interruptible(Promise.reject(new RangeError("no")), { listen }))
      .rejects.toThrow("no");
    expect(listeners.size).toBe(0);
  });

  test("ends with the stop button", async () => {
    const { listen, listeners, press } = stopButton();
    const waiting = interruptible(new Promise(() => {}), { listen });
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
      const { listen, press } = stopButton();
      let isAwake = false;
      const sleeping = sleep(5_000, { listen }).then(() => void (isAwake = true));
      await vi.advanceTimersByTimeAsync(4_999);
      expect(isAwake).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await sleeping;
      const stopped = sleep(5_000, { listen });
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
