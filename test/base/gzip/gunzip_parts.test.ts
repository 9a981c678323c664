import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { gunzipParts } from "../../../src/base/gzip/gunzip_parts.ts";

const OPTIONS = { maxInflatedBytes: 1_000_000 };
const A = gzipSync("aaa\n");
const B = gzipSync("bbb\n");
const ZEROS = new Uint8Array(600);
const GARBAGE = new TextEncoder().encode("garbage");
const TAIL = "something other than zeros after its last gzip member";

const FILES = [
  { name: "a member", pieces: [A], fault: null, text: "aaa\n" },
  { name: "two members", pieces: [A, B], fault: null, text: "aaa\nbbb\n" },
  { name: "a member and padding", pieces: [A, ZEROS], fault: null, text: "aaa\n" },
  { name: "a member and garbage", pieces: [A, GARBAGE], fault: TAIL, text: null },
  { name: "padding and garbage", pieces: [A, ZEROS, GARBAGE], fault: TAIL, text: null },
  { name: "padding and another member", pieces: [A, ZEROS, B], fault: TAIL, text: null },
  {
    name: "a second member that is cut off",
    pieces: [A, B.subarray(0, 15)],
    fault: "a file cut off before the end of its gzip data",
    text: null,
  },
];

test.each(FILES)("gunzipParts() judges $name the same however it arrives", async (file) => {
  const bytes = Buffer.concat(file.pieces);
  const cuts = fc.array(fc.nat(bytes.length), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(cuts, fc.boolean(), async (places, slow) => {
      const { facts, text } = await inflate(cut(bytes, places), slow);
      expect(facts.fault).toBe(file.fault);
      expect(facts.sizeBytes).toBe(bytes.length);
      if (file.text !== null) expect(text).toBe(file.text);
    }),
    { numRuns: 60 },
  );
});

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.toSorted((a, b) => a - b), bytes.length];
  return ends.map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end));
}

async function inflate(chunks: readonly Uint8Array[], slow: boolean) {
  let text = "";
  const source = async function* () {
    for (const chunk of chunks) {
      if (slow) await new Promise((resolve) => setTimeout(resolve, 1));
      yield chunk;
    }
  };
  const facts = await gunzipParts(source(), {
    ready: () => {},
    give: (part) => {
      text += new TextDecoder().decode(part);
    },
  }, OPTIONS);
  return { facts, text };
}
