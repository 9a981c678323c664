import { expect, test } from "vitest";
import { readSealed, sealText } from "../../../src/base/store/sealed_text.ts";

const VALUE = { at: "2026-11-20T10:00:00.000Z", release: { rows: 4, sha256: "of another thing" } };
// SHA-256 of what stands before the comma, by sha256sum.
const TEXT = `{
 "at": "2026-11-20T10:00:00.000Z",
 "release": {
  "rows": 4,
  "sha256": "of another thing"
 },
 "sha256": "HASH"
}
`;

test("a sealed text ends with the hash of all that stands before", () => {
  expect(sealText(VALUE, 1).replace(/[0-9a-f]{64}/, "HASH")).toBe(TEXT);
  expect(readSealed(sealText(VALUE, 1))).toEqual(VALUE);
});

test("line ends of another system change nothing", () => {
  expect(readSealed(sealText(VALUE, 2).replaceAll("\n", "\r\n"))).toEqual(VALUE);
});

test("a text of an older version, without a hash, is taken as it is", () => {
  expect(readSealed(JSON.stringify(VALUE))).toEqual(VALUE);
});

test("any single bit that changed is refused, or changes nothing that is read", () => {
  const bytes = new TextEncoder().encode(sealText(VALUE, 1));
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const at = bit >> 3;
    const text = new TextDecoder().decode(bytes.with(at, bytes[at]! ^ (1 << (bit & 7))));
    const read = (() => {
      try {
        return readSealed(text);
      } catch {
        return null;
      }
    })();
    // A hash whose name changed is a field that nobody knows.
    if (read !== null) expect(read).toMatchObject(VALUE);
  }
});

test.each(["[]", "null", "3", '"text"'])("%s is refused", (text) => {
  expect(() => readSealed(text)).toThrow("Cannot read $: expected an object");
});
