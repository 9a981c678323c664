// @heavy: a browser
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { lacksPython, PYTHON } from "../../helpers/python.ts";
import { axeViolations } from "../../helpers/browser/axe.ts";
import { complaintsOf, describeWithBrowser, launchBrowser } from "../../helpers/browser/browser.ts";
import { FIXTURE_SETS } from "../../helpers/fixture_store.ts";
import { useRelays } from "./_relay.ts";

const { start } = useRelays();
const SET = `/v1/scores?snapshot_id=${FIXTURE_SETS.ecpnd.first}`;

/** The status line and the body of an answer over a socket, with any head. */
async function ask(
  url: string,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
) {
  const { hostname, port } = new URL(url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, Connection: "close", ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
  await connection.write(new TextEncoder().encode(request));
  const text = await new Response(connection.readable).text();
  const [head = "", ...body] = text.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), head, body: body.join("\r\n\r\n") };
}

test("the page is open for this machine under its own names, and by GET alone", async () => {
  const { relay, add } = await start();
  const admin = await add("root", { admin: true });
  const bob = await add("bob");
  const { url } = await relay.listen();
  const asked = async (headers: Record<string, string> = {}, method = "GET") =>
    (await ask(url, "/relay.json", headers, method)).status;
  expect(await asked()).toBe(200);
  expect(await asked({ Host: "localhost:8090" })).toBe(200);
  expect(await asked({}, "HEAD")).toBe(405);
  expect(await asked({}, "POST")).toBe(405);
  // A page of somebody else, whose name was made to point here.
  expect(await asked({ Host: "evil.example" })).toBe(403);
  expect(await asked({ Host: "127.0.0.1.evil.example" })).toBe(403);
  // What a proxy passes on is not from this machine.
  for (const name of ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"]) {
    expect(await asked({ [name]: "203.0.113.9" })).toBe(401);
    expect(await asked({ [name]: "203.0.113.9", Authorization: `Bearer ${bob}` })).toBe(401);
    expect(await asked({ [name]: "203.0.113.9", Authorization: `Bearer ${admin}` })).toBe(200);
    const basic = btoa(`root:${admin}`);
    expect(await asked({ [name]: "203.0.113.9", Authorization: `Basic ${basic}` })).toBe(200);
  }
});

test("an admin key opens the page under a name that the relay was told, and no other name", async () => {
  const { relay, add } = await start({ relay: { hosts: ["scores.desk.example"] } });
  const admin = await add("root", { admin: true });
  const { url } = await relay.listen();
  const headers = { Authorization: `Bearer ${admin}`, "X-Forwarded-For": "203.0.113.9" };
  const status = async (Host: string, more = {}) =>
    (await ask(url, "/relay", { Host, ...more })).status;
  expect(await status("scores.desk.example", headers)).toBe(200);
  expect(await status("scores.desk.example")).toBe(401);
  expect(await status("other.desk.example", headers)).toBe(403);
});

test("tells who asked for what and at what cost, the checks, the releases, the licence and the refusals", async () => {
  const { relay, add, get } = await start();
  const bob = await add("bob", { requests: 5 });
  for (const path of [SET, SET, "/v1/scores", "/v1/scores/history.csv.gz", "/v1/scores?factor=x"]) {
    await (await get(path, { key: bob })).arrayBuffer();
  }
  await get("/v1/factors", { key: "relay_test_unknown" });
  const { url } = await relay.listen();
  const status = JSON.parse((await ask(url, "/relay.json")).body);
  expect(status).toMatchObject({
    service: "http://service.test",
    day: { answered: 4, requests: 6, downloads: 1 },
    licence: { factors: ["ecpnd", "ecqdi"], until: "2026-11-20T16:00:00.000Z" },
    factors: [
      { factor: "ecpnd", lastCheckedAt: "2026-11-20T15:00:00.000Z", status: "current" },
      { factor: "ecqdi", askedAt: null, lastCheckedAt: null },
    ],
    store: { sets: 2, checks: 2 },
  });
  expect(status.users).toEqual([
    { name: "bob", requestsLimit: 5, downloadsLimit: null, answered: 4, requests: 5, downloads: 1 },
    {
      name: "(relay)",
      requestsLimit: null,
      downloadsLimit: null,
      answered: 0,
      requests: 1,
      downloads: 0,
    },
  ]);
  expect(status.uses).toContainEqual(
    {
      user: "bob",
      endpoint: "scores",
      answered: 3,
      free: 1,
      refused: 1,
      requests: 2,
      downloads: 0,
    },
  );
  expect(status.releases.map(({ factor }: { factor: string }) => factor)).toEqual(["ecpnd"]);
  expect(
    status.refusals.map((
      refusal: { user: string; answer: string },
    ) => [refusal.user, refusal.answer]),
  )
    .toEqual([[null, "401 unauthorized"], ["bob", "400 invalid_factor"]]);
  expect(status.day.spans).toEqual([{ minute: 900, answered: 4, requests: 6 }]);
});

test("keeps the counts of the day over a restart", async () => {
  const started = await start();
  await started.get(SET);
  await started.reopen();
  const { url } = await started.relay.listen();
  const status = JSON.parse((await ask(url, "/relay.json")).body);
  expect(status.day).toMatchObject({ answered: 1, requests: 2 });
});

test("texts from outside are texts on the page, and no key is on it", async () => {
  const { relay, add } = await start();
  const bob = await add("bob");
  const { url } = await relay.listen();
  const headers = { Authorization: `Bearer ${bob}` };
  await ask(url, `/v1/scores?factor=<script>alert(1)</script>&x=${bob}`, headers);
  const { head, body } = await ask(url, "/relay");
  expect(body).toContain("&lt;script&gt;");
  expect(body).not.toContain("<script");
  for (
    const text of [
      body,
      (await ask(url, "/relay.json")).body,
      (await ask(url, "/relay/metrics")).body,
    ]
  ) {
    expect(text).not.toMatch(/(svc|relay)_test_[0-9a-z]/);
  }
  expect(head).toContain("Content-Security-Policy: default-src 'none'");
});

test.skipIf(lacksPython("prometheus_client"))(
  "is read by the parser of prometheus-client",
  async () => {
    const { relay, get, folder } = await start();
    await get(SET);
    await get(SET);
    const { url } = await relay.listen();
    const { head, body } = await ask(url, "/relay/metrics");
    expect(head).toContain("application/openmetrics-text; version=1.0.0; charset=utf-8");
    const path = join(folder, "metrics");
    await writeFile(path, body);
    const program = [
      "import sys, json",
      "from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse",
      "rows = [[s.name, s.labels, s.value] for f in parse(open(sys.argv[1]).read()) for s in f.samples]",
      "print(json.dumps(rows))",
    ].join("\n");
    const command = new Deno.Command(PYTHON, { args: ["-c", program, path] });
    const { stdout, stderr } = await command.output();
    expect(new TextDecoder().decode(stderr)).toBe("");
    const rows = JSON.parse(new TextDecoder().decode(stdout));
    const use = { user: "ann", endpoint: "scores" };
    expect(rows).toContainEqual(["scoreframe_relay_answers_total", use, 2]);
    expect(rows).toContainEqual(["scoreframe_relay_free_answers_total", use, 1]);
    expect(rows).toContainEqual(["scoreframe_relay_requests_total", use, 1]);
    expect(rows).toContainEqual(["scoreframe_relay_licensed", { factor: "ecqdi" }, 1]);
    expect(rows).toContainEqual(["scoreframe_relay_allowance_remaining", { budget: "day" }, 9998]);
  },
);

const SEEN = `(() => {
  const { color, backgroundColor } = getComputedStyle(document.body);
  return {
    width: document.documentElement.scrollWidth,
    colors: [color, backgroundColor],
    bars: document.querySelectorAll("svg rect").length,
    title: document.querySelector("h1").textContent,
  };
})()`;

describeWithBrowser("the page in a browser", () => {
  const { start: startBusy } = useRelays();
  const startDesk = async () => {
    const { relay, add, get, service } = await startBusy();
    const longest = "a-colleague-with-a-name-of-sixty-four-characters-in-all-1234567";
    const keys = [await add(longest, { requests: 2_000, downloads: 2 }), await add("bob")];
    const questions = ["/v1/scores", "/v1/scores/history.csv.gz", "/v1/scores?ticker=NOPE", SET];
    for (const time of ["02:10", "09:05", "13:30", "15:00"]) {
      service.clock.set(`2026-11-20T${time}:00Z`);
      for (const path of questions) {
        for (const key of keys) await (await get(path, { key })).arrayBuffer();
      }
    }
    await get("/v1/scores", { key: "relay_test_unknown" });
    return (await relay.listen()).url;
  };

  test.each(
    (["light", "dark"] as const).flatMap((theme) =>
      [390, 800, 1400].map((width) => [theme, width] as const)
    ),
  )("is readable in %s at %i pixels", async (colorScheme, width) => {
    const url = await startDesk();
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme });
      const complaints = complaintsOf(page);
      await page.goto(`${url}/relay`);
      const seen = await page.evaluate(SEEN) as {
        readonly width: number;
        readonly colors: readonly string[];
        readonly bars: number;
        readonly title: string;
      };
      const folder = process.env["SCOREFRAME_PICTURES"];
      if (folder) {
        const path = `${folder}/relay-${colorScheme}-${width}.png`;
        await page.screenshot({ path, fullPage: true });
      }
      expect(complaints).toEqual([]);
      expect(seen.width).toBe(width);
      expect(seen.title).toBe("Relay of http://service.test");
      // Two marks of the legend, and bars of both kinds.
      expect(seen.bars).toBeGreaterThan(4);
      expect(seen.colors).toEqual(
        colorScheme === "light"
          ? ["rgb(26, 31, 36)", "rgb(255, 255, 255)"]
          : ["rgb(230, 233, 236)", "rgb(20, 24, 28)"],
      );
    } finally {
      await browser.close();
    }
  });

  test("has no fault that axe-core finds", async () => {
    const url = await startDesk();
    const browser = await launchBrowser();
    try {
      expect(await axeViolations(browser, `${url}/relay`)).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
