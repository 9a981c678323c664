import { describe, expect, test } from "vitest";
import { LoadPromise } from "../../../src/client/verb/load_promise.ts";

const load = () =>
  new LoadPromise(Promise.resolve({ data: { height: 60 }, raw: null, response: null }));

describe("a load that was not awaited", () => {
  test.each(["filter", "select", "height", "columns", "groupBy", "join"])(
    "says at .%s that it is to be awaited first",
    (name) => {
      expect(() => Reflect.get(load(), name)).toThrow(
        new TypeError(
          `Cannot read "${name}" of a load: expected a frame, got the promise of one; ` +
            `await it first: (await api.scores("ecpnd")).${name}`,
        ),
      );
    },
  );

  test("says so of its first row as well", () => {
    expect(() => Reflect.get(load(), 0)).toThrow('await it first: (await api.scores("ecpnd"))[0]');
  });

  test("is the promise that it is in every other way", async () => {
    expect(await load()).toEqual({ height: 60 });
    expect(await load().then(({ height }) => height)).toBe(60);
    expect(await load().withResponse()).toMatchObject({ data: { height: 60 } });
    expect(Object.keys(load())).toEqual([]);
    expect(Deno.inspect(load())).toContain("Promise");
  });
});
