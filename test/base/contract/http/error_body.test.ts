import { expect, test } from "vitest";
import { encodeErrorBody, parseErrorBody } from "../../../../src/base/contract/http/error_body.ts";

test("an error object comes back from parse and encode as it was", () => {
  const wire = {
    error: "factor_subscription_required",
    message: "The account has no licence for ecqdi",
    request_id: "7b0c9d9e-3f55-4e0c-9a6e-0c0d6f3f1a11",
    retryable: false,
    factor: "ecqdi",
    details: { field: "factor" },
    hint: "kept",
  };
  expect(encodeErrorBody(parseErrorBody(wire))).toEqual(wire);
  expect(() => parseErrorBody("<html>")).toThrow("Cannot read $");
});

const BODY = { error: "rate_limit_exceeded", message: "m", request_id: "r", retryable: true };

test("parseErrorBody() takes null for a field that does not apply", () => {
  const body = parseErrorBody({ ...BODY, factor: null, retry_after_seconds: null });
  expect([body.factor, body.retryAfterSeconds]).toEqual([null, null]);
  expect(encodeErrorBody(body)).toEqual(BODY);
  expect(parseErrorBody({ ...BODY, retry_after_seconds: 0 }).retryAfterSeconds).toBe(0);
});

test.each([
  [{ ...BODY, retry_after_seconds: -1 }, "$.retry_after_seconds"],
  [{ ...BODY, retry_after_seconds: 1.5 }, "$.retry_after_seconds"],
  [{ ...BODY, error: "" }, "$.error"],
  [{ ...BODY, retryable: "true" }, "$.retryable"],
  [{ ...BODY, request_id: undefined }, "$.request_id"],
])("parseErrorBody() refuses %j", (body, path) => {
  expect(() => parseErrorBody(body)).toThrow(`Cannot read ${path}:`);
});
