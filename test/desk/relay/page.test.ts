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

const passwordOf = ({ pageToken }: { readonly pageToken: string }) => ({
  Authorization: `Bearer ${pageToken}`,
});

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

test("the page always asks for a password: that of this start or an admin key, whoever asks from wherever", async () => {
  const { relay, add } = await start();
  const [admin, bob] = [await add("root", { admin: true }), await add("bob")];
  const { url } = await relay.listen();
  for (const path of ["/relay", "/relay.json", "/relay/metrics"]) {
    const asked = async (headers: Record<string, string> = {}, method = "GET") =>
      (await ask(url, path, headers, method)).status;
    // What nginx's plain proxy_pass sends: from this machine, and without a header of its own.
    expect(await asked()).toBe(401);
    expect(await asked({ Host: "localhost:8090" })).toBe(401);
    expect(await asked({ "X-Forwarded-For": "127.0.0.1" })).toBe(401);
    expect(await asked({ Authorization: `Bearer ${bob}` })).toBe(401);
    expect(await asked({ Authorization: "Bearer " })).toBe(401);
    for (const key of [admin, relay.pageToken]) {
      expect(await asked({ Authorization: `Bearer ${key}` })).toBe(200);
      expect(await asked({ Authorization: `Basic ${btoa(`anybody:${key}`)}` })).toBe(200);
      expect(await asked({ Authorization: `Bearer ${key}` }, "POST")).toBe(405);
    }
  }
});

test("tells who asked for what and at what cost, the checks, the releases, the licence and the refusals", async () => {
  const { relay, add, get } = await start();
  const bob = await add("bob", { requests: 5 });
  for (const path of [SET, SET, "/v1/scores", "/v1/scores/history.csv.gz", "/v1/scores?factor=x"]) {
    await (await get(path, { key: bob })).arrayBuffer();
  }
  await get("/v1/factors", { key: "relay_test_unknown" });
  const { url } = await relay.listen();
  const status = JSON.parse((await ask(url, "/relay.json", passwordOf(relay))).body);
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
  const sinceStart = { answered: 4, free: 1, refused: 1, requests: 5, downloads: 1 };
  const spent = { answered: 4, requests: 5, downloads: 1 };
  expect(status.users).toEqual([
    { name: "bob", requestsLimit: 5, downloadsLimit: null, ...spent, sinceStart },
    {
      ...{ name: "(relay)", requestsLimit: null, downloadsLimit: null },
      ...{ answered: 0, requests: 1, downloads: 0, sinceStart: null },
    },
  ]);
  expect(status.releases.map(({ factor }: { factor: string }) => factor)).toEqual(["ecpnd"]);
  expect(
    status.refusals.map((
      refusal: { user: string; answer: string },
    ) => [refusal.user, refusal.answer]),
  )
    .toEqual([[null, "401 unauthorized"], ["bob", "400 invalid_factor"]]);
});

test("the hit rate leaves out the relay's own question, and those who spend most come first", async () => {
  const { relay, add, get } = await start();
  const keys = [await add("ann"), await add("bob"), await add("cas")];
  await get(SET, { key: keys[1]! });
  await get(SET, { key: keys[1]! });
  await get(SET, { key: keys[2]! });
  const { url } = await relay.listen();
  const status = JSON.parse((await ask(url, "/relay.json", passwordOf(relay))).body);
  // Two of three answers came from the store.
  expect(status.day.hitRate).toBeCloseTo(2 / 3, 9);
  expect(status.users.map(({ name }: { name: string }) => name))
    .toEqual(["bob", "cas", "ann", "(relay)"]);
});

test("keeps the counts of the day over a restart", async () => {
  const started = await start();
  await started.get(SET);
  await started.reopen();
  const { relay } = started;
  const { url } = await relay.listen();
  const status = JSON.parse((await ask(url, "/relay.json", passwordOf(relay))).body);
  expect(status.day).toMatchObject({ answered: 1, requests: 2 });
});

test("texts from outside are texts on the page, and no key is on it", async () => {
  const { relay, add } = await start();
  const bob = await add("bob");
  const { url } = await relay.listen();
  const headers = { Authorization: `Bearer ${bob}` };
  await ask(url, `/v1/scores?factor=<script>alert(1)</script>&x=${bob}`, headers);
  const { head, body } = await ask(url, "/relay", passwordOf(relay));
  expect(body).toContain("&lt;script&gt;");
  expect(body).not.toContain("<script");
  for (
    const text of [
      body,
      (await ask(url, "/relay.json", passwordOf(relay))).body,
      (await ask(url, "/relay/metrics", passwordOf(relay))).body,
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
    const { head, body } = await ask(url, "/relay/metrics", passwordOf(relay));
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
    const use = { user: "ann" };
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
    height: document.documentElement.scrollHeight,
    title: document.querySelector("h1").textContent,
  };
})()`;

describeWithBrowser("the page in a browser", () => {
  const { start: startBusy } = useRelays();
  const startDesk = async () => {
    const { relay, add, get, service } = await startBusy();
    const longest = "a-colleague-with-a-name-of-sixty-four-characters-in-all-1234567";
    const keys = [await add(longest, { requests: 2_000, downloads: 2 }), await add("bob")];
    for (let i = 0; i < 28; i++) await add(`colleague${i}`, { requests: 1_000 });
    const questions = ["/v1/scores", "/v1/scores/history.csv.gz", "/v1/scores?ticker=NOPE", SET];
    for (const time of ["02:10", "09:05", "13:30", "15:00"]) {
      service.clock.set(`2026-11-20T${time}:00Z`);
      for (const path of questions) {
        for (const key of keys) await (await get(path, { key })).arrayBuffer();
      }
    }
    await get("/v1/scores", { key: "relay_test_unknown" });
    const { url } = await relay.listen();
    return url.replace("http://", `http://desk:${relay.pageToken}@`);
  };

  test.each(
    (["light", "dark"] as const).flatMap((theme) =>
      [390, 800, 1280].map((width) => [theme, width] as const)
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
        readonly height: number;
        readonly colors: readonly string[];
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
      // Thirty users.
      expect(seen.height).toBeLessThan(2_000);
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
