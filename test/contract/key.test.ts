import { expect, test } from "vitest";
import { keyEnvironmentOf, maskKey } from "../../src/contract/key.ts";

test("keyEnvironmentOf() knows the two prefixes and refuses what a header cannot carry", () => {
  expect(keyEnvironmentOf("svc_live_abcdefgh")).toBe("production");
  expect(keyEnvironmentOf("svc_test_abcdefgh")).toBe("sandbox");
  for (
    const key of [
      "",
      "svc_live_",
      "SVC_LIVE_abc",
      "sk_live_abc",
      "svc_test_a b",
      "svc_test_a\n",
      "svc_test_ä",
    ]
  ) {
    expect(keyEnvironmentOf(key)).toBeNull();
  }
});

test("maskKey() shows no more than the prefix and four characters of a long key", () => {
  expect(maskKey("svc_test_0123456789abcdef")).toBe("svc_test_…cdef");
  expect(maskKey("svc_test_short")).toBe("svc_test_…");
  expect(maskKey("hunter2")).toBe("(not a key)");
});
