import { expect, test } from "vitest";
import { informationSummary } from "../../../src/analysis/series/information_summary.ts";
import { DISPLAY } from "../../../src/notebook/display.ts";
import { byDay } from "../series/_frames.ts";

const summary = informationSummary(byDay("ic", Array.from({ length: 30 }, (_, i) => Math.sin(i))), {
  what: "mean <b>IC</b>",
});

test("a result of several frames shows its sentences and each frame with its name", async () => {
  const bundle = await summary[DISPLAY]();
  expect(Object.keys(bundle)).toEqual(["text/html", "text/plain"]);
  expect(bundle["text/plain"]).toBe(String(summary));
  expect(String(summary)).toMatch(/^1 session: mean <b>IC<\/b> .*\n\ntable\n1 row /);
  expect(Deno.inspect(summary)).toBe(String(summary));
});

test("what callers write is text in a notebook, never markup", async () => {
  const html = String((await summary[DISPLAY]())["text/html"]);
  expect(html).toContain("mean &lt;b&gt;IC&lt;/b&gt;");
  expect(html).not.toContain("<b>IC</b>");
  expect(html).toContain("<b>checks</b>");
});
