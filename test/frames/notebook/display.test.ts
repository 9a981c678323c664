import { describe, expect, test, vi } from "vitest";
import { display } from "../../../src/frames/notebook/display.ts";
import { findKernel, type KernelMessage } from "../../../src/frames/notebook/kernel/kernel.ts";

function fakeKernel() {
  const sent: KernelMessage[] = [];
  return { sent, broadcast: (message: KernelMessage) => Promise.resolve(void sent.push(message)) };
}

describe("outside a notebook", () => {
  test("findKernel() is null and does not throw", () => {
    expect(findKernel()).toBeNull();
  });

  test("display() gives the bundle back", async () => {
    expect(await display({ "text/plain": "x" })).toEqual({ "text/plain": "x" });
  });
});

describe("in a notebook", () => {
  test("display() sends the bundle itself and leaves nothing to the kernel", async () => {
    const kernel = fakeKernel();
    expect(await display({ "text/plain": "x" }, { kernel })).toEqual({});
    expect(kernel.sent).toEqual([
      { type: "display_data", data: { "text/plain": "x" }, metadata: {} },
    ]);
  });

  test("display() gives a bundle time to arrive, a large one more, and none half a second more", async () => {
    vi.useFakeTimers();
    try {
      const settled = async (length: number, ms: number) => {
        let isSettled = false;
        const bundle = { "text/plain": "x".repeat(length) };
        void display(bundle, { kernel: fakeKernel() }).then(() => void (isSettled = true));
        await vi.advanceTimersByTimeAsync(ms);
        return isSettled;
      };
      expect([await settled(400_000, 99), await settled(400_000, 100)]).toEqual([false, true]);
      expect([await settled(9_000_000, 499), await settled(9_000_000, 500)]).toEqual([false, true]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("display() leaves the bundle to a kernel that waits for it", async () => {
    const kernel = { ...fakeKernel(), settlesCells: true };
    expect(await display({ "text/plain": "x" }, { kernel })).toEqual({ "text/plain": "x" });
    expect(kernel.sent).toEqual([]);
  });

  test("display() leaves the bundle to the kernel when sending fails", async () => {
    const kernel = { broadcast: () => Promise.reject(new Error("closed")) };
    expect(await display({ "text/plain": "x" }, { kernel })).toEqual({ "text/plain": "x" });
  });

  test("the kernel of Deno hears which display a message updates", async () => {
    const sent: unknown[][] = [];
    const jupyter = {
      broadcast: (...message: unknown[]) => Promise.resolve(void sent.push(message)),
    };
    vi.stubGlobal("Deno", { jupyter });
    const kernel = findKernel();
    vi.unstubAllGlobals();
    await kernel?.broadcast({
      type: "update_display_data",
      data: { "text/plain": "x" },
      displayId: "7",
    });
    await kernel?.broadcast({ type: "display_data", data: { "text/plain": "y" } });
    expect(sent).toEqual([
      ["update_display_data", {
        data: { "text/plain": "x" },
        metadata: {},
        transient: { display_id: "7" },
      }],
      ["display_data", { data: { "text/plain": "y" }, metadata: {}, transient: {} }],
    ]);
  });
});
