import { describe, expect, test } from "vitest";
import { assertPermissions } from "../../../src/base/runtime/require_permissions.ts";

describe("assertPermissions()", () => {
  test("takes a process that may load native code, also with the rest granted in part", () => {
    expect(() => assertPermissions((name) => name === "ffi" ? "granted" : "prompt")).not.toThrow();
  });

  test("refuses one without, and says what it has", () => {
    expect(() => assertPermissions(() => "prompt")).toThrow(
      new Error(
        "Cannot load scoreframe: expected the permissions ffi, read, write, env, sys, net, " +
          "got none of them; use `deno run -A`",
      ),
    );
    expect(() => assertPermissions((name) => name === "ffi" ? "denied" : "granted")).toThrow(
      "got read, write, env, sys, net;",
    );
  });
});
