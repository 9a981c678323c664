import { expect, test } from "vitest";
import {
  KEY_LIKE,
  keyEnvironmentOf,
  maskKey,
  maskKeys,
  maskUrlKeys,
} from "../../../src/base/contract/key.ts";

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

test.each(["abcdefgh", "ab+cd/ef==", "!#$%&'()*", "a.b.c.d.e"])(
  "KEY_LIKE finds a key of any visible characters (%s), and ends with the text that holds it",
  (secret) => {
    const [found] = KEY_LIKE.exec(JSON.stringify({ note: `svc_test_${secret}`, next: 1 })) ?? [];
    expect(found).toBe(`svc_test_${secret}`);
  },
);

test("KEY_LIKE leaves the prefix alone when it is spoken of", () => {
  for (const text of ["svc_live_ keys", "svc_test_…", 'svc_test_"', "svc_test_short"]) {
    expect(KEY_LIKE.test(text)).toBe(false);
  }
});

// In parts, so that this file holds nothing that looks like a live key.
const LIVE_KEY = ["svc", "live", "0123456789abcdef"].join("_");

test("maskKeys() masks every key of a text up to the next blank", () => {
  expect(maskKeys(`${LIVE_KEY} and svc_test_short are keys`))
    .toBe("svc_live_…cdef and svc_test_… are keys");
});

test("maskUrlKeys() masks a key up to the next parameter, and one that is broken off", () => {
  expect(maskUrlKeys(`/v1/scores?key=${LIVE_KEY}&factor=ecpnd`))
    .toBe("/v1/scores?key=svc_…&factor=ecpnd");
  expect(maskUrlKeys("/v1/svc_test_")).toBe("/v1/svc_…");
});
