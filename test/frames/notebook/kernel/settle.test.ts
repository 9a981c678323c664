import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../../helpers/source_files.ts";

const run = promisify(execFile);
const SPIN_MS = 150;

// The first thread of the process works, as the one with the kernel's sockets does, while a cell's thread waits.
const MAIN = `
const flag = new Int32Array(new SharedArrayBuffer(8));
const worker = new Worker(new URL("./cell.ts", import.meta.url).href, { type: "module" });
worker.onmessage = ({ data }) => {
  if (data === "loaded") {
    worker.postMessage(flag);
    Atomics.wait(flag, 0, 0);
    for (const fromMs = performance.now(); performance.now() < fromMs + ${SPIN_MS};);
    Atomics.store(flag, 1, 1);
    return;
  }
  console.log(data);
  worker.terminate();
};
`;
const CELL = `
import { settle } from ${JSON.stringify(`file://${ROOT}/src/frames/notebook/kernel/settle.ts`)};
self.onmessage = async ({ data: flag }) => {
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
  await settle();
  self.postMessage(Atomics.load(flag, 1) === 1 ? "sent before" : "still sending");
};
self.postMessage("loaded");
`;

describe("settle", () => {
  test.runIf(process.platform === "linux")(
    "waits while the thread that holds the kernel's sockets is at work",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "scoreframe-settle-"));
      try {
        await writeFile(join(folder, "main.ts"), MAIN);
        await writeFile(join(folder, "cell.ts"), CELL);
        const args = ["run", "-A", "--no-config", join(folder, "main.ts")];
        const { stdout } = await run(Deno.execPath(), args, {
          env: { ...process.env, NO_COLOR: "1" },
        });
        expect(stdout.trim()).toBe("sent before");
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});
