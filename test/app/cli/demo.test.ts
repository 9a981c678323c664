import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ROOT } from "../../helpers/source_files.ts";

const run = promisify(execFile);

test("demo shows the main job and leaves nothing behind", async () => {
  const folder = await mkdtemp(join(tmpdir(), "scoreframe-demo-test-"));
  try {
    // Deno's own cache stays where it is, so that nothing is fetched.
    const info = await run(Deno.execPath(), ["info", "--json"], { cwd: ROOT });
    const { denoDir: DENO_DIR } = JSON.parse(info.stdout);
    const env = { ...process.env, DENO_DIR, TMPDIR: folder, XDG_CACHE_HOME: folder };
    const { stdout } = await run(Deno.execPath(), ["task", "--quiet", "demo"], { cwd: ROOT, env });
    for (
      const expected of [
        "await api.factors()\n2 rows × 4 columns",
        'await api.scores("ecpnd")\n',
        "the same numbers. A set is immutable.",
        'await api.scores("ecpnd", { at: "2026-11-16T15:00:00Z" })',
        "# Changes between the two",
        'verified before it becomes a frame: await api.history("ecpnd")',
        "is still in it a month later\n24 rows × 4 columns [synthetic]\n",
        "retained is null for 2026-04: the release does not reach the end of the next month.\n",
        "# The same over a socket, 127.0.0.1\nSame rows and numbers.",
        "embedded, synthetic",
      ]
    ) expect(stdout).toContain(expected);
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
