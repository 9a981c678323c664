import { afterAll, beforeAll, expect, test } from "vitest";
import { notebookOf, outputText, startJupyter, type TestJupyter } from "../helpers/jupyter.ts";
import { describeWithJupyter } from "../helpers/needs_jupyter.ts";
import { ROOT } from "../helpers/source_files.ts";

const LONG_MS = 120_000;

// Presses the stop button while a load waits; then the same kernel must still load, with the same connection.
const STOP_A_LOAD = `
import sys, time
from jupyter_client.manager import KernelManager
kernel, cwd, setup, waiting, after = sys.argv[1:]
manager = KernelManager(kernel_name=kernel)
manager.start_kernel(cwd=cwd)
client = manager.client()
client.start_channels()
client.wait_for_ready(timeout=60)
def run(code, stop=False):
    client.execute(code)
    if stop:
        time.sleep(2)
        manager.interrupt_kernel()
    reply = client.get_shell_msg(timeout=60)["content"]
    return reply["status"], reply.get("ename", ""), reply.get("evalue", "")
for code, stop in ((setup, False), (waiting, True), (after, False)):
    print(run(code, stop))
client.stop_channels()
manager.shutdown_kernel(now=True)
`;

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
    expect(text[5]).toContain("future_observation_requested");
    expect(JSON.stringify(executed)).not.toContain("dataresource");
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
        '  : new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));',
        "const api = await connect({ apiKey, fetch });",
      ].join("\n");
      const after = "const factors = await api.factors();\n" +
        "if (factors.height !== 0 || calls !== 2) throw new Error(`${factors.height} rows, ${calls} calls`);";
      const args = [jupyter.kernel, ROOT, setup, "await api.factors()", after];
      const [first, stopped, last] = (await jupyter.python(STOP_A_LOAD, args)).trim().split("\n");
      expect(first).toContain("'ok'");
      expect(stopped).toContain("AbortError");
      expect(last).toContain("'ok'");
    },
    LONG_MS,
  );
});
