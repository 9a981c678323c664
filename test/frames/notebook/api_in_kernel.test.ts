// @heavy: a Jupyter kernel
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  notebookOf,
  outputText,
  startJupyter,
  type TestJupyter,
} from "../../helpers/jupyter/jupyter.ts";
import { describeWithJupyter } from "../../helpers/jupyter/needs_jupyter.ts";
import { runAndStop } from "../../helpers/jupyter/press_stop.ts";
import { ROOT } from "../../helpers/source_files.ts";

const LONG_MS = 900_000;

await describeWithJupyter("a connection in a real Deno kernel", () => {
  let jupyter: TestJupyter;
  beforeAll(async () => {
    jupyter = await startJupyter();
  }, LONG_MS);
  afterAll(() => jupyter?.[Symbol.asyncDispose]());

  test("shows a load with and without await, and frames that Polars derives from it", async () => {
    const cells = [
      'import pl from "nodejs-polars";\nimport { demo, show } from "scoreframe";\nconst api = await demo();',
      'await api.scores("ecpnd")',
      'api.scores("ecpnd")',
      'const scores = await api.scores("ecpnd");\nscores.filter(pl.col("ticker").eq(pl.lit("NA")))',
      "await show(scores, { edgeRows: 1 });\nawait show(scores.head(2));",
      'api.scores("ecpnd", { at: "2030-01-01T00:00:00Z" })',
    ];
    const executed = await jupyter.execute(notebookOf(cells), ROOT);
    const text = executed.cells.map((cell) => outputText(cell, "text/plain"));
    for (const index of [1, 2]) {
      expect(text[index]).toContain("60 rows × 13 columns [synthetic]\necpnd (ecpnd-v1) · current");
    }
    expect(text[3]).toContain("1 row × 13 columns [synthetic]");
    expect(text[3]).toMatch(/^NA +0\.\d{4}$/m);
    expect(text[4]).toContain("… 58 more");
    expect(text[4]).toContain("2 rows × 13 columns");
    expect(executed.cells[5]?.outputs).toMatchObject([{
      output_type: "error",
      ename: "ApiError",
      evalue: expect.stringContaining("future_observation_requested"),
    }]);
    expect(JSON.stringify(executed)).not.toContain("dataresource");
  }, LONG_MS);

  test("refuses an operator beside an expression, and shows the expression as before", async () => {
    const cells = [
      // A connection makes each cell wait until its output is sent.
      'import pl from "nodejs-polars";\nimport { connect } from "scoreframe";\n' +
      'await connect({ apiKey: "svc_test_x", baseUrl: "http://127.0.0.1:9" });\nconst x = pl.col("x");\n' +
      "const frame = pl.DataFrame({ x: [0.25, 0.75] });\n" +
      "const said = (run) => { try { run(); } catch (error) { return error.message; } };",
      "said(() => frame.filter(x > 0.5))",
      "said(() => frame.lazy().filter(x > 0.5).collectSync())",
      "said(() => frame.getColumn('x') > 0.5)",
      "said(() => frame.filter(x.eq('BARL')))",
      "console.log(`${x}`, String(x));\nconsole.log(x);\nx",
      "frame.filter(x.gt(0.5)).getColumn('x').toArray()",
      "said(() => frame.select(x - 0.5))",
    ];
    const executed = await jupyter.execute(notebookOf(cells), ROOT);
    const text = executed.cells.map((cell) => outputText(cell, "text/plain"));
    const refused = 'Cannot apply an operator to the expression col("x"): expected a method, got ';
    expect(text[1]).toContain(refused);
    expect(text[2]).toContain(refused);
    expect(text[3]).toContain('to the column "x": expected a method');
    expect(text[4]).toContain('pl.lit("BARL")');
    expect(text[5]).toContain('col("x")');
    expect(text[6]).toContain("0.75");
    expect(text[7]).toContain(refused);
  }, LONG_MS);

  test("shows the documentation of a function of any entry point", async () => {
    const cells = [
      'import { connect, help } from "scoreframe";\nimport { analyzeFactor } from "scoreframe/analysis";\n' +
      'const api = await connect({ apiKey: "svc_test_x", baseUrl: "http://127.0.0.1:9" });',
      "help(analyzeFactor)",
      'api.help("tearSheet")',
      "help()",
    ];
    const executed = await jupyter.execute(notebookOf(cells), ROOT);
    const text = executed.cells.map((cell) => outputText(cell, "text/plain"));
    expect(text[1]).toMatch(/^analyzeFactor\(scores, prices, options\?\)/);
    expect(text[1]).toContain("quantiles?: number");
    expect(text[2]).toContain('import { tearSheet } from "scoreframe/sheet"');
    expect(text[3]).toContain("await analyzeFactor(scores, prices)");
  }, LONG_MS);

  test("says under the cell until when it waited, and why", async () => {
    const cells = [[
      'import { connect } from "scoreframe";',
      "let ms = Date.parse('2026-11-20T15:00:05Z');",
      'const refused = { error: "rate_limit_exceeded", message: "no", retryable: true,',
      '  request_id: "2c6f0a51-7b52-4d27-9f0e-0a9f7f3f1c55" };',
      'const answers = [Response.json(refused, { status: 429, headers: { "Retry-After": "30" } })];',
      "const api = await connect({",
      '  apiKey: "svc_test_wait",',
      "  fetch: async () => answers.pop() ?? Response.json({ factors: [] }),",
      "  now: () => ms,",
      "  random: () => 0,",
      "  sleep: async (waitMs) => void (ms += waitMs),",
      "});",
      "(await api.factors()).height",
    ].join("\n")];
    const executed = await jupyter.execute(notebookOf(cells), ROOT);
    const text = outputText(executed.cells[0]!, "text/plain");
    expect(text).toContain(
      "Waited until 2026-11-20T15:00:35Z: the service answered 429 rate_limit_exceeded",
    );
    expect(text).not.toContain("Waiting");
  }, LONG_MS);

  test(
    "survives the stop button: the load ends, the connection and its variables stay",
    async () => {
      const setup = [
        'import { connect } from "scoreframe";',
        "let calls = 0;",
        'const apiKey = "svc_test_stop";',
        // Answers nothing until it is stopped, and answers at once the second time.
        "const fetch = ({ signal }) => calls++ > 0",
        "  ? Promise.resolve(Response.json({ factors: [] }))",
        "  : new Promise((_, reject) => {",
        '    signal.addEventListener("abort", () => reject(signal.reason));',
        '    console.log("waiting");',
        "  });",
        "const api = await connect({ apiKey, fetch });",
      ].join("\n");
      const after = "const factors = await api.factors();\n" +
        "if (factors.height !== 0 || calls !== 2) throw new Error(`${factors.height} rows, ${calls} calls`);";
      const [first, stopped, last] = await runAndStop(jupyter, ROOT, [
        { code: setup },
        { code: "await api.factors()", stop: true },
        { code: after },
      ]);
      expect(first?.status).toBe("ok");
      expect(stopped).toMatchObject({ status: "error", ename: "AbortError" });
      expect(last).toMatchObject({ status: "ok" });
    },
    LONG_MS,
  );
});
