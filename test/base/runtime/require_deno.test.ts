import { describe, expect, test } from "vitest";
import { assertDeno } from "../../../src/base/runtime/require_deno.ts";

describe("assertDeno()", () => {
  test.each(["2.9.0", "2.9.6", "2.10.1", "3.0.0", "2.9.6+abc123"])("takes Deno %s", (deno) => {
    expect(() => assertDeno({ Deno: { version: { deno } } })).not.toThrow();
  });

  test.each(["2.2.0", "2.4.5", "1.46.3", "2.8.9"])("refuses Deno %s in one line", (deno) => {
    expect(() => assertDeno({ Deno: { version: { deno } } })).toThrow(
      new Error(
        `Cannot load scoreframe: expected Deno 2.9.0 or later, got Deno ${deno}; ` +
          "run it with `npx --yes deno@2.9.6 run -A YOUR_SCRIPT.ts`, or `deno upgrade`",
      ),
    );
  });

  test("refuses Node and everything else", () => {
    expect(() => assertDeno({})).toThrow("got another runtime");
    expect(() => assertDeno({ Deno: {} })).toThrow("got another runtime");
  });
});
