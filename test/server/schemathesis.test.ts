// @heavy: Schemathesis and programs in other languages
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import type { FaultRule } from "../../src/server/mod.ts";
import { KEY, useServers } from "./_harness.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const PROGRAM = join(ROOT, ".scoreframe/venv/bin/schemathesis");
const DOCUMENT = join(ROOT, "src/base/contract/openapi.json");
const ACCOUNT = {
  id: "judge",
  factors: ["ecpnd", "ecqdi"] as const,
  keys: [{ key: KEY }],
  limits: { requestsPerMinute: 1e6, requestsPerDay: 1e6, downloadsPerDay: 1e6 },
};

// Where everything is tested it has to be there; elsewhere it is said that something was left out.
const isMissing = !existsSync(PROGRAM);
if (isMissing && !process.env.CI) {
  process.stderr.write(
    `SKIPPED: the judgement of Schemathesis needs ${PROGRAM}; make it by ` +
      "python3 -m venv .scoreframe/venv && .scoreframe/venv/bin/pip install -r .ci/requirements.txt\n",
  );
}

describe.skipIf(isMissing && !process.env.CI)("the server, judged by Schemathesis", () => {
  const { start } = useServers();

  /** Lets Schemathesis make requests out of the document and judge the answers by it. */
  async function judge(
    faults: readonly FaultRule[],
    ...options: readonly string[]
  ): Promise<{ readonly code: number | null; readonly report: string }> {
    const { server } = await start("in process", { accounts: [ACCOUNT], faults });
    const { url } = await server.listen();
    // It keeps what it found in its folder.
    const cwd = await mkdtemp(join(tmpdir(), "scoreframe-schemathesis-"));
    const args = ["--config-file", join(ROOT, ".ci/schemathesis.toml"), "run", DOCUMENT];
    const child = spawn(PROGRAM, [
      ...args,
      ...["--url", url, "--header", `Authorization: Bearer ${KEY}`, "--seed", "1", "--no-color"],
      ...["--generation-database", "none", ...options],
    ], { cwd, env: { ...process.env, PYTHONIOENCODING: "utf-8" } });
    let report = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (data) => report += data);
    }
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    await rm(cwd, { recursive: true });
    return { code, report };
  }

  // @silent 9 base/contract/openapi.json: Requests that Schemathesis generates from the OpenAPI document are answered as it specifies
  test(
    "keeps what the OpenAPI document promises, for what it allows and what it forbids",
    async () => {
      const { code, report } = await judge([], "--max-examples", "40");
      expect(code, report).toBe(0);
      expect(report).toContain("5 selected / 5 total");
      expect(report).toContain("No issues found");
    },
  );

  test("is found out by a score out of range and by a header that is left out", async () => {
    const only = ["--include-path", "/v1/scores", "--phases", "fuzzing", "--max-examples", "3"];
    const vary = { kind: "headers", set: { Vary: null } } as const;
    const { code, report } = await judge([{ kind: "score_out_of_range" }, vary], ...only);
    expect(report).toContain("Response violates schema");
    expect(report).toContain("Missing required response headers");
    expect(code).toBe(1);
  });
});
