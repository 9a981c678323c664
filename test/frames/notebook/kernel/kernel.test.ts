// @heavy: a Jupyter kernel
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  notebookOf,
  outputText,
  startJupyter,
  type TestJupyter,
} from "../../../helpers/jupyter/jupyter.ts";
import { describeWithJupyter } from "../../../helpers/jupyter/needs_jupyter.ts";
import { runAndStop } from "../../../helpers/jupyter/press_stop.ts";

const ROOT = join(import.meta.dirname!, "..", "..", "..", "..");
const NOTEBOOK = join(ROOT, "src/frames/notebook");
const FACTORY = join(ROOT, "src/frames/frame/frame_factory.ts");
const LONG_MS = 900_000;

// Answers the question for a key as a person would, and tells how it was asked and what the notebook then showed.
const TYPE_KEY = `
import json, sys
from jupyter_client.manager import KernelManager
kernel, cwd, code, typed = sys.argv[1:]
manager = KernelManager(kernel_name=kernel)
manager.start_kernel(cwd=cwd)
client = manager.client()
client.start_channels()
client.wait_for_ready(timeout=300)
client.execute(code, allow_stdin=True)
asked = client.get_stdin_msg(timeout=300)["content"]
client.input(typed)
status = client.get_shell_msg(timeout=300)["content"]["status"]
shown = []
try:
    while True:
        shown.append(client.get_iopub_msg(timeout=5)["content"])
except Exception:
    pass
print(json.dumps({"asked": asked, "status": status, "shown": json.dumps(shown)}))
client.stop_channels()
manager.shutdown_kernel(now=True)
`;

await describeWithJupyter("in a real Deno kernel", () => {
  let jupyter: TestJupyter;
  let typed: Promise<string>;
  let burst: Promise<string>;
  beforeAll(async () => {
    jupyter = await startJupyter();
    // Both mostly wait: while other tests run.
    typed = typeKey();
    burst = typed.catch(() => {}).then(sendBurst);
    burst.catch(() => {});
  }, LONG_MS);
  afterAll(async () => {
    await burst?.catch(() => {});
    await jupyter[Symbol.asyncDispose]();
  });

  function typeKey(): Promise<string> {
    const code = `import { askKey } from "${NOTEBOOK}/ask_key.ts";\n` +
      'const key = askKey("Key of the account");\n' +
      'if (!key.endsWith("typed")) throw new Error("another key");';
    return jupyter.python(TYPE_KEY, [jupyter.kernel, ROOT, code, "svc_test_typed"]);
  }

  async function sendBurst(): Promise<string> {
    const script = await readFile(join(ROOT, "test/helpers/jupyter/burst_cells.py"), "utf8");
    const args = [jupyter.kernel, ROOT, 'import "scoreframe";', "200"];
    return await jupyter.python(script, args);
  }

  test("frames, derived frames, forgotten awaits and errors show, and none is lost", async () => {
    const cells = [
      'import pl from "nodejs-polars";\n' +
      `import { adoptFrames, withFrameDisplay } from "${NOTEBOOK}/adopt_notebook.ts";\n` +
      `import { displayLoad } from "${NOTEBOOK}/shown_promise.ts";\n` +
      `import { loadFrameFactory } from "${FACTORY}";\n` +
      'const frame = withFrameDisplay(pl.DataFrame({ ticker: ["A", "NA"], ecpnd_score: [0.5, null] }));',
      "await Promise.resolve(frame)",
      "await adoptFrames(loadFrameFactory)",
      'frame.filter(pl.col("ticker").eq(pl.lit("NA")))',
      'frame.select(pl.lit(1).cast(pl.Int64).alias("n"))',
      'class Load extends Promise { [Symbol.for("Jupyter.display")]() { return displayLoad(this); } }\n' +
      "new Load((resolve) => setTimeout(() => resolve(frame), 30))",
      'new Load((_, reject) => reject(new RangeError("too <far>")))',
    ];
    const executed = await jupyter.execute(notebookOf(cells), ROOT);
    const html = executed.cells.map((cell) => outputText(cell, "text/html"));
    expect(html[1]).toContain("2 rows × 2 columns");
    expect(html[3]).toContain("1 row × 2 columns");
    expect(html[4]).toContain("i64");
    expect(html[5]).toContain("2 rows × 2 columns");
    expect(executed.cells[6]?.outputs?.[0]).toMatchObject(
      { output_type: "error", ename: "RangeError", evalue: "too <far>" },
    );
    expect(JSON.stringify(executed)).not.toContain("dataresource");
  }, LONG_MS);

  test(
    "an adopted notebook loses no result, shows one output a cell, and says which promise failed unheard",
    async () => {
      const cells = [
        'import pl from "nodejs-polars";\n' +
        `import { adoptNotebook } from "${NOTEBOOK}/adopt_notebook.ts";\n` +
        `import { show } from "${NOTEBOOK}/show.ts";\n` +
        `import { loadFrameFactory } from "${FACTORY}";\n` +
        "await adoptNotebook(loadFrameFactory);\n" +
        'const frame = pl.DataFrame({ ticker: ["A"] });',
        "await Promise.resolve(frame)",
        "[frame, frame]",
        "await Promise.resolve(42)",
        "await show(7); await show({ frame });",
        'void Promise.reject(new RangeError("unheard"));',
        'const tick = await Promise.resolve(1); console.log("printed");',
      ];
      const executed = await jupyter.execute(notebookOf(cells), ROOT);
      const types = executed.cells.map((cell) =>
        cell.outputs?.map((output) => output.output_type).join()
      );
      expect(types).toEqual([
        "",
        "execute_result",
        "execute_result",
        "execute_result",
        "display_data,display_data",
        "error",
        "stream",
      ]);
      expect(outputText(executed.cells[2]!, "text/html").match(/1 row × 1 column/g)).toHaveLength(
        2,
      );
      expect(executed.cells[5]?.outputs).toMatchObject([{
        ename: "RangeError",
        evalue: "unheard",
      }]);
    },
    LONG_MS,
  );

  test(
    "the stop button ends an interruptible wait and a sleep, and the kernel keeps its variables",
    async () => {
      const ends = await runAndStop(jupyter, ROOT, [
        {
          code: `import { interruptible, sleep } from "${NOTEBOOK}/kernel/interruptible.ts";\n` +
            "const kept = 42;",
        },
        // Printed after the wait began, which is when the button is listened to.
        { code: 'setTimeout(() => console.log("waiting"), 50); await sleep(60_000)', stop: true },
        {
          code:
            'setTimeout(() => console.log("waiting"), 50); await interruptible(new Promise(() => {}))',
          stop: true,
        },
        { code: 'if (kept !== 42) throw new Error("lost")' },
      ]);
      expect(ends.map(({ status, ename }) => ename ?? status)).toEqual([
        "ok",
        "AbortError",
        "AbortError",
        "ok",
      ]);
    },
    LONG_MS,
  );

  test("SCOREFRAME_DISPLAY=polars leaves derived frames to nodejs-polars", async () => {
    const cells = [
      'import pl from "nodejs-polars";\n' +
      `import { adoptFrames } from "${NOTEBOOK}/adopt_notebook.ts";\n` +
      `import { loadFrameFactory } from "${FACTORY}";\n` +
      "await adoptFrames(loadFrameFactory);",
      'const bundle = pl.DataFrame({ a: [1] })[Symbol.for("Jupyter.display")]();\n' +
      'if (!("application/vnd.dataresource+json" in bundle)) throw new Error("not the display of nodejs-polars");',
    ];
    await jupyter.execute(notebookOf(cells), ROOT, { SCOREFRAME_DISPLAY: "polars" });
  }, LONG_MS);

  test("the stop button aborts what is in flight, and the kernel keeps its variables", async () => {
    const setup = `import { watchInterrupt } from "${NOTEBOOK}/kernel/interrupt.ts";\n` +
      "const interrupt = watchInterrupt(); const kept = 42;";
    const waiting = "await new Promise((_, reject) => {\n" +
      "  const { signal } = interrupt;\n" +
      '  const timer = setTimeout(() => reject(new Error("not stopped")), 30_000);\n' +
      '  signal.addEventListener("abort", () => { clearTimeout(timer); reject(signal.reason); });\n' +
      '  console.log("waiting");\n' +
      "});";
    const ends = await runAndStop(jupyter, ROOT, [
      { code: setup },
      { code: waiting, stop: true },
      { code: waiting, stop: true },
      { code: 'if (kept !== 42) throw new Error("lost")' },
    ]);
    expect(ends.map(({ status }) => status)).toEqual(["ok", "error", "error", "ok"]);
    expect(ends.slice(1, 3).map(({ ename }) => ename)).toEqual(["AbortError", "AbortError"]);
  }, LONG_MS);

  test("the prompt for the key is masked, and what is typed is shown nowhere", async () => {
    const { asked, status, shown } = JSON.parse(await typed);
    expect(asked.password).toBe(true);
    expect(asked.prompt).toContain("of the account");
    expect(status).toBe("ok");
    expect(shown).not.toContain("svc_test_typed");
  }, LONG_MS);

  test("the prompt for the key gives null where nobody can be asked", async () => {
    const cells = [
      `import { askKey } from "${NOTEBOOK}/ask_key.ts";\n` +
      'if (askKey() !== null) throw new Error("a key came from nowhere");',
    ];
    await jupyter.execute(notebookOf(cells), ROOT);
  }, LONG_MS);

  test("two hundred cells that are sent at once show each output under its own cell", async () => {
    const { lost, misplaced } = JSON.parse(await burst);
    expect({ lost, misplaced }).toEqual({ lost: 0, misplaced: 0 });
  }, LONG_MS);
});
