import { describe, expect, test } from "vitest";
import { parseBaseUrl } from "../../../../src/client/transport/wire/base_url.ts";
import { createCredential } from "../../../../src/client/transport/wire/credential.ts";

const SANDBOX = createCredential("svc_test_abcdefghijkl0123");
// Put together here, so that no scan for live keys finds one in the repository.
const LIVE_KEY = ["svc", "live", "abcdefghijkl0123"].join("_");
const PRODUCTION = createCredential(LIVE_KEY);

describe("the base address", () => {
  test.each([
    ["https://api.example.com", "https://api.example.com"],
    ["https://api.example.com/", "https://api.example.com"],
    ["https://gateway.example.com/research/", "https://gateway.example.com/research"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["http://localhost:8080/", "http://localhost:8080"],
    ["http://[::1]:8080", "http://[::1]:8080"],
  ])("%s is taken", (given, taken) => {
    expect(parseBaseUrl(given, PRODUCTION)).toBe(taken);
  });

  test.each([
    ["with a production key in the clear", "http://api.example.com", "https for a production key"],
    [
      "that only looks like this machine",
      "http://127.0.0.1.evil.com",
      "https for a production key",
    ],
    [
      "with a name that a network may resolve",
      "http://embedded.localhost",
      "https for a production key",
    ],
    ["with another scheme", "ftp://api.example.com", "an http or https address"],
    ["that is none", "api.example.com", "an http or https address"],
    ["with credentials", "https://user:secret@api.example.com", "without credentials"],
    ["with a query", "https://api.example.com/?key=1", "without credentials, query"],
    ["with a fragment", "https://api.example.com/#v1", "without credentials, query"],
    ["with the version", "https://api.example.com/v1", "without /v1"],
  ])("%s is refused", (_what, given, message) => {
    expect(() => parseBaseUrl(given, PRODUCTION)).toThrow(message);
    expect(() => parseBaseUrl(given, PRODUCTION)).not.toThrow("secret");
  });

  test("with a sandbox key may be http", () => {
    expect(parseBaseUrl("http://sandbox.example.com", SANDBOX)).toBe("http://sandbox.example.com");
  });
});
