import { describe, expect, test } from "vitest";
import { display } from "../../src/notebook/display.ts";
import { findKernel, type KernelMessage } from "../../src/notebook/kernel.ts";

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
    expect(kernel.sent).toEqual([{ type: "display_data", data: { "text/plain": "x" } }]);
  });

  test("display() leaves the bundle to the kernel when sending fails", async () => {
    const kernel = { broadcast: () => Promise.reject(new Error("closed")) };
    expect(await display({ "text/plain": "x" }, { kernel })).toEqual({ "text/plain": "x" });
  });
});
