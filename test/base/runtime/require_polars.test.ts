import { expect, test } from "vitest";
import { assertPolars } from "../../../src/base/runtime/require_polars.ts";

test("an installation with the native part of nodejs-polars is taken", () => {
  expect(assertPolars(() => ({}))).toBeUndefined();
});

test("one without it is told what is missing, and how to get it", () => {
  const load = () => {
    throw new Error("Cannot find module 'nodejs-polars-linux-x64-gnu'\nRequire stack:\n- /p/x.js");
  };
  expect(() => assertPolars(load)).toThrow(
    /^Cannot load scoreframe: expected the native part of nodejs-polars for \w+ \w+, got none, which npm leaves out under Node older than 22; run `npx --yes deno@2\.9\.6 install` in the folder of the project$/,
  );
});

test("another failure stays what it is", () => {
  const failure = new Error("Requires ffi access");
  expect(() =>
    assertPolars(() => {
      throw failure;
    })
  ).toThrow(failure);
});
