import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { inflateFile } from "../../../src/base/gzip/inflate_file.ts";
import { unhandledRejections } from "../../helpers/unhandled_rejections.ts";

const OPTIONS = { maxInflatedBytes: 1 };

test("a transfer that is cancelled while its thread is behind is let go", async () => {
  const cancel = new AbortController();
  const seen = { chunks: 0, isClosed: false };
  async function* transfer() {
    try {
      for (;;) {
        yield new Uint8Array(1 << 20);
        // A thread is never more than eight megabytes behind: from then on the transfer waits for it.
        if (++seen.chunks === 8) cancel.abort(new Error("enough"));
      }
    } finally {
      seen.isClosed = true;
    }
  }
  const unhandled = await unhandledRejections(async () => {
    const source = { chunks: transfer(), sizeBytes: null };
    const inflating = inflateFile(source, () => {}, { ...OPTIONS, signal: cancel.signal });
    await expect(inflating).rejects.toThrow("enough");
    for (let turn = 0; turn < 100 && !seen.isClosed; turn++) await setImmediate();
  });
  expect(seen.isClosed).toBe(true);
  expect(unhandled).toEqual([]);
});
