import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  aCount,
  aDate,
  aText,
  flat,
  flatOrNull,
  type Form,
  named,
  object,
  orAbsent,
  read,
  theRest,
  variants,
  type Wire,
  write,
} from "../../../src/base/contract/schema.ts";

interface Inner {
  readonly firstDay: string;
}

interface Thing {
  readonly name: string;
  readonly isOld: string | null;
  readonly rowCount: number;
  readonly inner: Inner;
  readonly other: { readonly some: string; readonly more: string } | null;
  readonly note?: string;
  readonly label: string | null;
  readonly added: number;
  readonly extra: Wire;
}

const THING = object<Thing>({
  name: aText,
  isOld: named("old", z.nullable(aText)),
  rowCount: aCount,
  inner: flat(object<Inner>({ firstDay: aDate })),
  other: flatOrNull(object({ some: aText, more: aText })),
  note: z.optional(aText),
  label: orAbsent(aText),
  added: z._default(aCount, 7),
  extra: theRest,
});
const WIRE = {
  name: "a",
  old: null,
  row_count: 2,
  first_day: "2026-11-19",
  some: "x",
  more: "y",
  note: "n",
  label: "l",
  added: 1,
  later: { any: [1] },
};

describe("a form of an object", () => {
  test("writes what it read, field for field and in the order of its declaration", () => {
    const thing = read(THING, WIRE, "$");
    expect(thing).toEqual({
      name: "a",
      isOld: null,
      rowCount: 2,
      inner: { firstDay: "2026-11-19" },
      other: { some: "x", more: "y" },
      note: "n",
      label: "l",
      added: 1,
      extra: { later: { any: [1] } },
    });
    expect(JSON.stringify(write(THING, thing))).toBe(JSON.stringify(WIRE));
  });

  test("leaves out what there is not, and fills in what an older file did not have", () => {
    const least = { name: "a", old: null, row_count: 2, first_day: "2026-11-19" };
    const thing = read(THING, least, "$");
    expect(thing).toMatchObject({ other: null, label: null, added: 7, extra: {} });
    expect("note" in thing).toBe(false);
    expect(write(THING, thing)).toEqual({ ...least, added: 7 });
  });

  test.each<[string, Wire, string]>([
    ["a missing field", { row_count: undefined }, "$.row_count: expected a whole number"],
    ["a field of an object within", { first_day: "x" }, "$.first_day: expected a date"],
    ["half of an object", { some: undefined }, "$.some: expected text that is not empty"],
    ["null for text", { name: null }, "$.name: expected text that is not empty, got null"],
  ])("names the place of %s", (_, change, message) => {
    expect(() => read(THING, { ...WIRE, ...change }, "$")).toThrow(`Cannot read ${message}`);
  });

  test("keeps a field named __proto__ as received, and refuses a list", () => {
    const wire = JSON.parse('{"__proto__":1,"name":"a"}');
    const form = object<{ readonly name: string; readonly extra: Wire }>({
      name: aText,
      extra: theRest,
    });
    expect(JSON.stringify(write(form, read(form, wire, "$")))).toBe('{"name":"a","__proto__":1}');
    expect(() => read(form, [], "$")).toThrow("Cannot read $: expected an object, got an array");
  });

  test("refuses unknown fields if it is told to", () => {
    const form = object<Inner>({ firstDay: aDate }, {
      strict: (_, known) => ` of ${known.length}`,
    });
    expect(() => read(form, { first_day: "2026-11-19", last_day: 1 }, "$.a")).toThrow(
      'Cannot read $.a: expected one of the fields first_day, got "last_day" of 1',
    );
  });
});

describe("lists, records and variants", () => {
  type Shape =
    | { readonly kind: "dot"; readonly at: number }
    | { readonly kind: "line"; readonly ends: readonly number[] };
  const SHAPES = z.record(
    z.string(),
    variants<Shape>({ dot: { at: aCount }, line: { ends: z.array(aCount) } }),
  );

  test("write what they read", () => {
    const wire = { a: { kind: "dot", at: 1 }, b: { kind: "line", ends: [1, 2] } };
    expect(write(SHAPES, read(SHAPES, wire, "$"))).toEqual(wire);
  });

  test.each<[unknown, string]>([
    [{ a: { kind: "curve" } }, '$.a.kind: expected "dot" or "line", got "curve"'],
    [{ a: { kind: "toString" } }, '$.a.kind: expected "dot" or "line", got "toString"'],
    [{ a: { kind: "line", ends: 1 } }, "$.a.ends: expected a list, got 1"],
    [{ a: { kind: "line", ends: [1, "2"] } }, "$.a.ends[1]: expected a whole number"],
  ])("name the place in %j", (wire, message) => {
    expect(() => read(SHAPES, wire, "$")).toThrow(`Cannot read ${message}`);
  });
});

test("the compiler refuses a form that differs from the interface", () => {
  interface Own {
    readonly a: string;
    readonly b?: number;
    readonly c: "x" | "y";
    readonly d: string | null;
  }
  const [a, b, c, d] = [aText, z.optional(aCount), z.enum(["x", "y"]), z.nullable(aText)];
  const forms: readonly Form<Own>[] = [
    object<Own>({ a, b, c, d }),
    // @ts-expect-error a field is missing
    object<Own>({ a, b, c }),
    // @ts-expect-error there is one too many
    object<Own>({ a, b, c, d, e: aText }),
    // @ts-expect-error it may not be left out
    object<Own>({ a: z.optional(aText), b, c, d }),
    // @ts-expect-error it may be left out
    object<Own>({ a, b: aCount, c, d }),
    // @ts-expect-error it is one of two texts
    object<Own>({ a, b, c: aText, d }),
    // @ts-expect-error it may be null
    object<Own>({ a, b, c, d: aText }),
    // @ts-expect-error it may not be null
    object<Own>({ a: z.nullable(aText), b, c, d }),
  ];
  expect(read(forms[0]!, { a: "1", c: "x", d: null }, "$")).toEqual({ a: "1", c: "x", d: null });
});
