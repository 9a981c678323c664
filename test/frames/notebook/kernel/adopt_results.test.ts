import { describe, expect, test } from "vitest";
import { adoptResults } from "../../../../src/frames/notebook/adopt_cells.ts";
import type { KernelMessage } from "../../../../src/frames/notebook/kernel/kernel.ts";
import { type MimeBundle, withMetadata } from "../../../../src/frames/notebook/mime_bundle.ts";

function adopted(bundleOf: (value: unknown) => Promise<MimeBundle | null>) {
  const sent: KernelMessage[] = [];
  const left: unknown[] = [];
  const kernel = {
    broadcast: (message: KernelMessage) => Promise.resolve(void sent.push(message)),
  };
  const publisher = {
    broadcastResult: (_count: number, result: unknown) => Promise.resolve(void left.push(result)),
  };
  adoptResults(bundleOf, { kernel, publisher });
  return { sent, left, kernel, publisher };
}

describe("adoptResults()", () => {
  test("publishes what has a display as the result of its cell", async () => {
    const bundle = withMetadata({ "image/png": "AAAA" }, { "image/png": { width: 300 } });
    const { sent, left, publisher } = adopted(() => Promise.resolve(bundle));
    await publisher.broadcastResult(7, "chart");
    expect(sent).toEqual([{
      type: "execute_result",
      executionCount: 7,
      data: { "image/png": "AAAA" },
      metadata: { "image/png": { width: 300 } },
    }]);
    expect(left).toEqual([]);
  });

  test("leaves everything else to the kernel, a cell without a result too", async () => {
    const { sent, left, publisher } = adopted(() => Promise.resolve(null));
    await publisher.broadcastResult(1, 42);
    await publisher.broadcastResult(2, undefined);
    expect(left).toEqual([42, undefined]);
    expect(sent).toEqual([]);
  });

  test("publishes no empty result after a value that has shown itself", async () => {
    const { sent, left, publisher } = adopted(() => Promise.resolve({}));
    await publisher.broadcastResult(1, "shown");
    expect([...sent, ...left]).toEqual([]);
  });

  test("shows the error of a display, which would hide the value", async () => {
    const { sent, publisher } = adopted(() => Promise.reject(new RangeError("no picture")));
    await publisher.broadcastResult(1, "chart");
    expect(sent).toMatchObject([{ type: "error", ename: "RangeError", evalue: "no picture" }]);
  });

  test("replaces the function once, and never outside a kernel", () => {
    const { kernel, publisher } = adopted(() => Promise.resolve(null));
    const { broadcastResult } = publisher;
    adoptResults(() => Promise.resolve({}), { kernel, publisher });
    expect(publisher.broadcastResult).toBe(broadcastResult);
    const outside = { broadcastResult: () => Promise.resolve() };
    const before = outside.broadcastResult;
    adoptResults(() => Promise.resolve({}), { kernel: null, publisher: outside });
    expect(outside.broadcastResult).toBe(before);
  });
});
