import { expect, test } from "vitest";
import { matchesEntityTag } from "../../../src/server/catalogue/entity_tag.ts";

const ETAG = 'W/"a1b2"';

test.each([
  ['W/"a1b2"', true],
  ['"a1b2"', true],
  ["*", true],
  [" * ", true],
  ['"x", W/"a1b2"', true],
  ['"x,y", "a1b2"', true],
  ['"x" , "a1b2" ,', true],
  ["a1b2", false],
  ["W/a1b2", false],
  ['w/"a1b2"', false],
  ['"a1b2', false],
  ['"A1B2"', false],
  ['"x,W/"a1b2"', false],
  ["", false],
  ['"*"', false],
])("If-None-Match: %s matches: %s", (header, matches) => {
  expect(matchesEntityTag(header, ETAG)).toBe(matches);
});

test("no If-None-Match matches nothing, and a comma belongs to a quoted tag", () => {
  expect(matchesEntityTag(null, ETAG)).toBe(false);
  expect(matchesEntityTag('"a,b"', 'W/"a,b"')).toBe(true);
});
