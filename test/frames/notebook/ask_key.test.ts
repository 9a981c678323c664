import { expect, test } from "vitest";
import { askKey } from "../../../src/frames/notebook/ask_key.ts";

test.each([
  ["svc_test_example", "svc_test_example"],
  ["  svc_test_example\n", "svc_test_example"],
  ["   ", null],
  ["", null],
  [null, null],
])("askKey() makes %j of the answer %j", (answer, key) => {
  expect(askKey("API key", { ask: () => answer })).toBe(key);
});

test("askKey() asks with the message that it was given", () => {
  const asked: string[] = [];
  const ask = (message: string) => {
    asked.push(message);
    return null;
  };
  askKey("Key of the desk", { ask });
  askKey(undefined, { ask });
  expect(asked).toEqual(["Key of the desk", "API key"]);
});
