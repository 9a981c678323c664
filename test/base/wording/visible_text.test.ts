import fc from "fast-check";
import { expect, test } from "vitest";
import { visibleLine, visibleText } from "../../../src/base/wording/visible_text.ts";

test.each([
  ["a screen that is cleared", "\x1b[2J\x1b[8m", "\\u001b[2J\\u001b[8m"],
  ["a clipboard that is set", "\x1b]52;c;eA==\x07", "\\u001b]52;c;eA==\\u0007"],
  ["a line that is turned", "a\u202egpj.exe", "a\\u202egpj.exe"],
  ["an isolate", "\u2066x\u2069", "\\u2066x\\u2069"],
  ["a control of eight bits", "\x9b2J", "\\u009b2J"],
  ["a carriage return", "bad\rsound", "bad\\u000dsound"],
  ["a tag beyond the first plane", "\u{e0041}", "\\udb40\\udc41"],
  ["a separator of lines", "a\u2028b", "a\\u2028b"],
  ["line breaks and tabs, which stay", "a\n\tb", "a\n\tb"],
  ["joiners of emoji, which stay", "👩\u200d🔬", "👩\u200d🔬"],
])("writes out %s", (_, text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test("a text on one line has no line of its own", () => {
  expect(visibleLine("a.ipynb\n4 sets: sound")).toBe("a.ipynb\\n4 sets: sound");
});

test("JSON keeps its meaning, and nothing that acts on a terminal is left of any text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    expect(JSON.parse(visibleText(JSON.stringify({ text })))).toEqual({ text });
    expect(visibleLine(text)).not.toMatch(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  }));
});
