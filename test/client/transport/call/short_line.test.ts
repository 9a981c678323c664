import fc from "fast-check";
import { expect, test } from "vitest";
import { shortLine } from "../../../../src/client/transport/call/refusal.ts";

test("shortLine() leaves nothing that breaks a line, turns it round or hides in it", () => {
  expect(shortLine("\u001b[2Ja\r\n\u2028b\u200b\u202ec\u0085", 20)).toBe("[2Ja b c");
  const unit = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\u0000", "\u202e", "\n"));
  fc.assert(
    fc.property(fc.array(unit), (parts) => {
      const line = shortLine(parts.join(""), 64);
      expect(line.length).toBeLessThanOrEqual(64);
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u200b-\u200f\u202a-\u202e]/u);
    }),
  );
});
