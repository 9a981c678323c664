import { describe, expect, test } from "vitest";
import { DISPLAY } from "../../../src/frames/notebook/display.ts";
import { ShownPromise } from "../../../src/frames/notebook/shown_promise.ts";

const PROMISED = { what: "a result", write: "const x = await f()", members: ["table"] };

describe("the promise of something that a notebook shows", () => {
  test("is awaited as any promise, and what follows is an ordinary one", async () => {
    const promise = new ShownPromise(Promise.resolve(7), PROMISED);
    expect(promise.then((value) => value + 1)).not.toBeInstanceOf(ShownPromise);
    expect(await promise).toBe(7);
    await expect(new ShownPromise(Promise.reject(new Error("no")), PROMISED)).rejects.toThrow("no");
  });

  test("displays what it becomes where await was forgotten", async () => {
    const shown = await new ShownPromise(Promise.resolve("a table"), PROMISED)[DISPLAY]();
    expect(shown["text/plain"]).toBe("a table");
  });

  test("says that it is a promise where a member is read of it", () => {
    const promise = new ShownPromise(Promise.resolve({ table: 1 }), PROMISED);
    expect(() => (promise as unknown as { table: unknown }).table).toThrow(
      'Cannot read "table" of a result: expected a result, got the promise of one; await it first: const x = await f()',
    );
  });
});
