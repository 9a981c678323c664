import type { TestJupyter } from "./jupyter.ts";

/** A cell, and whether the stop button is pressed once it has printed `waiting`. */
export interface StoppedCell {
  readonly code: string;
  readonly stop?: true;
}

/** How a cell ended. */
export interface CellEnd {
  readonly status: "ok" | "error";
  readonly ename?: string;
  readonly evalue?: string;
}

// The stop button of a notebook sends SIGINT to the kernel.
const SCRIPT = `
import json, sys
from jupyter_client.manager import KernelManager
kernel, cwd, cells = sys.argv[1:]
manager = KernelManager(kernel_name=kernel)
manager.start_kernel(cwd=cwd)
client = manager.client()
client.start_channels()
client.wait_for_ready(timeout=300)
ends = []
for cell in json.loads(cells):
    asked = client.execute(cell["code"])
    while cell.get("stop"):
        message = client.get_iopub_msg(timeout=300)["content"]
        if "waiting" in message.get("text", ""):
            manager.interrupt_kernel()
            break
    reply = {"parent_header": {}}
    # A kernel that starts slowly answers late that it is ready, more than once.
    while reply["parent_header"].get("msg_id") != asked:
        reply = client.get_shell_msg(timeout=300)
    ends.append(reply["content"])
print(json.dumps(ends))
client.stop_channels()
manager.shutdown_kernel(now=True)
`;

/** Runs cells in one kernel that lives through all of them, pressing the stop button where a cell says so. */
export async function runAndStop(
  jupyter: TestJupyter,
  cwd: string,
  cells: readonly StoppedCell[],
): Promise<readonly CellEnd[]> {
  return JSON.parse(await jupyter.python(SCRIPT, [jupyter.kernel, cwd, JSON.stringify(cells)]));
}
