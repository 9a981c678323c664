// @heavy: Schemathesis and programs in other languages
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FIXTURE_SETS } from "../helpers/fixture_store.ts";
import { lacksPython, PYTHON } from "../helpers/python.ts";
import { ROOT } from "../helpers/source_files.ts";
import { useRelays } from "../desk/relay/_relay.ts";
import { KEY, useServers } from "./_harness.ts";

const run = promisify(execFile);
const LONG_MS = 300_000;
const { start } = useServers();
const relays = useRelays();

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "scoreframe-python-"))));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs lines of Python after `api = Client()`, at an address with a key, and reads the JSON that they print. */
async function python(url: string, lines: string, key = KEY): Promise<unknown> {
  const program = [
    "import json, sys, time",
    `sys.path.insert(0, ${JSON.stringify(join(ROOT, "docs/python"))})`,
    "import factor_scores as fs",
    `api = fs.Client(folder=${JSON.stringify(folder)}, max_wait=2)`,
    "def told(call):",
    "    try: call()",
    "    except fs.FactorError as e: return [type(e).__name__, getattr(e, 'status', None), getattr(e, 'code', None)]",
    lines,
  ].join("\n");
  await writeFile(join(folder, "program.py"), program);
  const env = { ...process.env, SCOREFRAME_URL: url, SCOREFRAME_API_KEY: key };
  const { stdout } = await run(PYTHON, ["-B", join(folder, "program.py")], { env });
  return JSON.parse(stdout);
}

const SCORES = `
frame = api.scores("ecpnd")
print(json.dumps([frame.columns, frame["ticker"].to_list(), frame["snapshot_id"].unique().to_list(),
                  frame["source"][0].endswith("(synthetic)"), str(frame.schema["last_checked_at"]), frame["ecpnd_score"].null_count()]))`;

describe.skipIf(lacksPython("polars"))("the Python client of docs/python", () => {
  test("reads scores with provenance from the server, and from a relay the same", async () => {
    const { server } = await start("in process");
    const { url } = await server.listen();
    const direct = await python(url, SCORES);
    expect(direct).toEqual([
      [
        ...["ticker", "ecpnd_score", "factor", "factor_version", "universe", "snapshot_id"],
        ...["calculated_at", "last_checked_at", "data_through", "status", "prices_through"],
        ...["source", "retrieved_at"],
      ],
      ["0012", "1E5", "A", "BF-B", "BRK.B", "NA", "TRUE", "ZZZZZZZZZZZZZZZZ"],
      [FIXTURE_SETS.ecpnd.second],
      true,
      "Datetime(time_unit='us', time_zone='UTC')",
      expect.any(Number),
    ]);
    const { relay, add } = await relays.start();
    const listener = await relay.listen();
    expect(await python(listener.url, SCORES, await add("ann"))).toEqual(direct);
    await listener.close();
  });

  test("selects by instant and by set, and refuses what the service refuses, with its code", async () => {
    const { server } = await start("in process");
    const { url } = await server.listen();
    const told = await python(
      url,
      `
first = api.scores("ecpnd", at="2026-11-20T11:30:00Z")
print(json.dumps([first["snapshot_id"][0], api.scores("ecqdi", snapshot_id="${FIXTURE_SETS.ecqdi.first}")["status"][0] != "stale",
  told(lambda: api.scores("ecpnd", at="2026-11-20T11:30:00")), told(lambda: api.scores("ecpnd", at="2026-11-20T09:00:00Z")),
  told(lambda: api.scores("ecpnd", at="2031-01-01T00:00:00Z")), told(lambda: api.scores("momentum"))]))`,
    );
    expect(told).toEqual([
      FIXTURE_SETS.ecpnd.first,
      true,
      ["FactorError", null, null],
      ["RefusedError", 404, "score_snapshot_not_available"],
      ["RefusedError", 400, "future_observation_requested"],
      ["FactorError", null, null],
    ]);
  });

  test("downloads a release once, for three calls and a new process, and verifies it", async () => {
    const { server } = await start("in process");
    const { url } = await server.listen();
    const history = `
frames = [api.history("ecqdi") for _ in range(3)]
print(json.dumps([frames[0].columns, [frame.height for frame in frames], frames[0]["ticker"].unique().sort().to_list()[0], str(frames[0].schema["date"])]))`;
    const [columns, heights, ticker, dtype] = await python(url, history) as [
      string[],
      number[],
      string,
      string,
    ];
    expect(columns).toEqual([
      ...["date", "ticker", "ecqdi_score", "factor", "factor_version", "universe"],
      ...["download_sha256", "availability", "source"],
    ]);
    expect(new Set(heights).size).toBe(1);
    expect([ticker, dtype]).toEqual(["1E5", "Date"]);
    await python(url, history);
    const downloads = server.journal.entries.filter(({ spentDownloads }) => spentDownloads > 0);
    expect(downloads).toHaveLength(1);
  });

  test("keeps nothing of a file with another SHA-256, and never follows a redirect or sends a key in the clear", async () => {
    const { server } = await start("in process", {
      faults: [{ kind: "corrupt", contains: "history.csv.gz" }],
    });
    const { url } = await server.listen();
    expect(await python(url, `print(json.dumps(told(lambda: api.history("ecqdi"))))`)).toEqual(
      ["ContractError", null, null],
    );
    expect((await readdir(join(folder, "factor_scores"))).filter((name) => name.endsWith(".gz")))
      .toEqual([]);
    const clear =
      `print(json.dumps(told(lambda: fs.Client(key="svc_live_" + "x" * 20, url="http://scores.example"))))`;
    expect(await python(url, clear)).toEqual(["FactorError", null, null]);
  });

  test("installs from a clone, and passes its own tests beside it", async () => {
    // The builder writes beside the sources.
    const [copy, target] = [join(folder, "python"), join(folder, "site")];
    await cp(join(ROOT, "docs/python"), copy, { recursive: true });
    const install = ["-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation"];
    await run(PYTHON, [...install, "--target", target, copy]);
    await rm(join(copy, "factor_scores.py"));
    const env = { ...process.env, PYTHONPATH: target };
    const { stdout } = await run(PYTHON, ["-m", "pytest", "-q", copy], { env, cwd: folder });
    expect(stdout).toMatch(/\d{3} passed in /);
  }, LONG_MS);
});
