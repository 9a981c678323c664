// @heavy: installations from a registry
import { execFile, spawn } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "./helpers/source_files.ts";

const run = promisify(execFile);
const PATIENCE_MS = 600_000;

let folder: string;
let server: Server;
let origin: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-served-"));
  server = await serveSources();
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Neither a clone nor an installed package is near; the lock file spares questions to the registry.
  await writeFile(join(folder, "deno.json"), JSON.stringify({ nodeModulesDir: "none" }));
  await copyFile(join(ROOT, ".ci/library.lock"), join(folder, "deno.lock"));
});

afterAll(async () => {
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Serves the sources with the imports of packages written out, as jsr does. */
async function serveSources(): Promise<Server> {
  const { dependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const names = Object.keys(dependencies).map((name) => name.replaceAll("/", "\\/")).join("|");
  const imported = new RegExp(`(from |import\\(|import )"(${names})((?:/[^"]*)?)"`, "g");
  const served = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const text = await readFile(join(ROOT, path), "utf8").catch(() => null);
    const type = path.endsWith(".json") ? "application/json" : "application/typescript";
    if (text === null) response.writeHead(404);
    else response.setHeader("Content-Type", type);
    response.end(
      text?.replace(
        imported,
        (_all, before, name, rest) => `${before}"npm:${name}@${dependencies[name]}${rest}"`,
      ),
    );
  });
  await new Promise<void>((resolve) => served.listen(0, "127.0.0.1", resolve));
  return served;
}

const inFolder = (...args: string[]) =>
  run(Deno.execPath(), ["run", "--quiet", "-A", ...args], { cwd: folder });

describe("the modules, imported from an address as jsr serves them", () => {
  test("load scores and a release in threads, analyse, draw and make a sheet", async () => {
    const code = `
      import { demo } from "${origin}/mod.ts";
      import { openStudy } from "${origin}/mod.ts";
      import { analyzeFactor } from "${origin}/src/analysis/mod.ts";
      import { coverageMapChart } from "${origin}/src/report/chart/mod.ts";
      import { tearSheet } from "${origin}/src/report/sheet/mod.ts";
      import pl from "npm:nodejs-polars@0.25.2";
      const api = await demo();
      const release = await api.history("ecpnd");
      const prices = release.select("date", "ticker").withColumn(pl.Series(
        "close",
        Array.from({ length: release.height }, (_, i) => 10_000 + i % 97),
        pl.Float64,
      ));
      const analysis = await analyzeFactor(release, prices, { progress: false });
      const chart = coverageMapChart(release);
      const drawn = [await chart.toPng(), await coverageMapChart(release, { title: " " }).toPng()];
      const page = await chart.toHtml();
      const sheet = await tearSheet(analysis);
      console.log((await api.scores("ecpnd")).height, release.height > 10_000, typeof openStudy);
      console.log(drawn[0].length - drawn[1].length > 500, page.includes("<script>"));
      console.log((await sheet.toHtml()).includes("<svg"));
      await api.close();`;
    await writeFile(join(folder, "first.ts"), code);
    const { stdout, stderr } = await inFolder("first.ts");
    expect(stderr).toBe("");
    expect(stdout).toBe("60 true function\ntrue true\ntrue\n");
  }, PATIENCE_MS);

  test("run as a command, which says how it is typed", async () => {
    const { stdout } = await inFolder(`${origin}/src/app/cli/main.ts`, "lab", "--help");
    expect(stdout).toContain("usage: deno run -A jsr:@scoreframe/scoreframe/cli lab [--no-open");
    const doctor = await inFolder(`${origin}/src/app/cli/main.ts`, "doctor", "--offline");
    expect(doctor.stdout).toContain("chart was drawn");
  }, PATIENCE_MS);

  test("serve the API", async () => {
    const args = [`${origin}/src/app/cli/main.ts`, "serve", "--world", "small", "--port", "0"];
    const child = spawn(Deno.execPath(), ["run", "--quiet", "-A", ...args], { cwd: folder });
    try {
      const printed = await new Promise<string>((resolve, reject) => {
        let text = "";
        child.stdout.on("data", (data) => {
          text += data;
          if (/SCOREFRAME_API_KEY=\S+/.test(text)) resolve(text);
        });
        child.once("exit", (code) => reject(new Error(`it ended with ${code}`)));
      });
      const [, url, key] = /SCOREFRAME_URL=(\S+) SCOREFRAME_API_KEY=(\S+)/.exec(printed) ?? [];
      const answer = await fetch(`${url}/v1/scores?factor=ecpnd`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ factor: "ecpnd" });
    } finally {
      process.kill(child.pid!, "SIGKILL");
    }
  }, PATIENCE_MS);
});
