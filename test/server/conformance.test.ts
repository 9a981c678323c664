// @heavy: Schemathesis and programs in other languages
import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import process from "node:process";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KEY, type SendOptions, useServers } from "./_harness.ts";

const OPENAPI = new URL("../../src/base/contract/openapi.json", import.meta.url);
const FILE = "/v1/scores/history.csv.gz";
const FIRST = "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01";

interface Described {
  readonly headers?: Record<string, { readonly required?: boolean; readonly schema: object }>;
  readonly content?: Record<string, { readonly schema: { readonly $ref?: string } }>;
}
type Operations = Record<string, Record<string, { readonly responses: Record<string, Described> }>>;

const TRAFFIC: readonly (readonly [path: string, status: number, options?: SendOptions])[] = [
  ["/v1/factors", 200],
  ["/v1/factors?x=1", 400],
  ["/v1/factors", 401, { key: null }],
  ["/v1/factors", 403, { key: "svc_test_no_subscription" }],
  ["/v1/factors", 403, { key: "svc_test_only_scores_06" }],
  ["/v1/scores", 200],
  ["/v1/scores", 304, { headers: { "If-None-Match": "*" } }],
  ["/v1/scores?factor=ecqdi", 200],
  ["/v1/scores?factor=ecqdi", 403, { key: "svc_test_licensed_ecpnd" }],
  ["/v1/scores?ticker=NA", 200],
  ["/v1/scores?format=csv", 200],
  ["/v1/scores?at=2026-11-20T12:00:00Z", 200],
  [`/v1/scores?snapshot_id=${FIRST}`, 200],
  ["/v1/scores?at=2026-11-20T16:00:00Z", 400],
  ["/v1/scores?factor=other", 400],
  ["/v1/scores?ticker=NOPE", 404],
  ["/v1/scores?at=2026-11-20T01:00:00Z", 404],
  ["/v1/scores", 405, { method: "POST" }],
  [`/v1/scores?${"x".repeat(2100)}`, 414],
  ["/v1/scores", 431, { headers: { X: "a".repeat(16_400) } }],
  ["/v1/scores/history", 200],
  ["/v1/scores/history?factor=ecqdi", 200],
  ["/v1/scores/history?at=x", 400],
  [FILE, 200],
  [FILE, 304, { headers: { "If-None-Match": "*" } }],
  [FILE, 200, { method: "HEAD" }],
  [FILE, 304, { method: "HEAD", headers: { "If-None-Match": "*" } }],
  [`${FILE}?x=1`, 400, { method: "HEAD" }],
];

describe("the server's traffic, judged by the OpenAPI document", () => {
  const { start } = useServers();
  let paths: Operations;
  let ajv: Ajv2020;
  beforeAll(async () => {
    const document = JSON.parse(await readFile(OPENAPI, "utf8"));
    paths = document.paths;
    ajv = new Ajv2020({ strict: false, coerceTypes: true });
    formats.default(ajv);
    ajv.addSchema(document, "api");
  });

  function assertValid(schema: { readonly $ref?: string } | object, value: unknown, what: string) {
    const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/'));
    const validate = ajv.compile(local);
    expect(validate(value), `${what}: ${ajv.errorsText(validate.errors)}`).toBe(true);
  }

  async function judge(path: string, method: string, response: Response): Promise<void> {
    const operation = paths[path.split("?")[0]!]?.[method.toLowerCase()];
    const described = operation?.responses[String(response.status)];
    if (operation !== undefined) expect(described, `${path} ${response.status}`).toBeDefined();
    for (const [name, { required, schema }] of Object.entries(described?.headers ?? {})) {
      const value = response.headers.get(name);
      if (required) expect(value, `${path}: ${name}`).not.toBeNull();
      if (value !== null) assertValid(schema, value, `${path}: ${name}`);
    }
    const text = await response.text();
    const type = response.headers.get("content-type")?.split(";")[0] ?? "";
    // The document leaves the form of what a transport or a proxy answers open.
    if (text === "" || described?.content === undefined) return;
    const content = described.content[type];
    expect(content, `${path} ${response.status} has the content type ${type}`).toBeDefined();
    if (type === "application/json") assertValid(content!.schema, JSON.parse(text), path);
  }

  // @rule 2.4 base/contract/http/header.ts: Publication, check, cutoff and status are in the X-Factor headers of a CSV
  // @rule 4.3 server/catalogue/score_representations.ts: 200 is application/json or text/csv
  // @rule 9 base/contract/openapi.json: The OpenAPI document of contract 1.2.0 describes the traffic
  test("has the statuses, headers, content types and bodies that it describes", async () => {
    const { get } = await start("over a socket");
    for (const [path, status, options = {}] of TRAFFIC) {
      const response = await get(path, options);
      expect(response.status, path).toBe(status);
      const { method = "GET" } = options;
      if (method !== "POST") await judge(path, method, response);
    }
  });

  test("has described 429 and 503 as well", async () => {
    for (const status of [408, 429, 500, 503]) {
      const { get } = await start("in process", { faults: [{ kind: "status", status }] });
      for (const path of ["/v1/factors", "/v1/scores", "/v1/scores/history", FILE]) {
        await judge(path, "GET", await get(path));
      }
    }
  });

  test("is refused by that judge when a fault breaks it", async () => {
    const { get } = await start("in process", { faults: [{ kind: "score_out_of_range" }] });
    await expect(judge("/v1/scores", "GET", await get("/v1/scores"))).rejects.toThrow(
      "must be <= 1",
    );
  });
});

// Prism is fetched by npx, half a minute's download: only where everything is tested.
describe.skipIf(!process.env.CI)("the server behind Stoplight Prism as a validating proxy", () => {
  const { start } = useServers();
  let prism: ChildProcess | undefined;
  // npx runs Prism as a child of its own: the whole group has to end.
  afterAll(() => prism?.pid !== undefined && process.kill(-prism.pid, "SIGTERM"));

  async function startPrism(upstream: string): Promise<string> {
    const port = await freePort();
    const args = ["--yes", "@stoplight/prism-cli@5.16.0", "proxy", OPENAPI.pathname, upstream];
    const child = spawn("npx", [...args, "--port", String(port), "--errors"], { detached: true });
    prism = child;
    await new Promise<void>((resolve, reject) => {
      child.stdout.on("data", (data) => String(data).includes("listening") && resolve());
      child.on("exit", (code) => reject(new Error(`Prism ended with ${code}`)));
    });
    return `http://127.0.0.1:${port}`;
  }

  test(
    "passes recorded requests and answers, and is stopped where a fault breaks a rule",
    async () => {
      const { server } = await start("in process");
      const listener = await server.listen();
      const base = await startPrism(listener.url);
      const get = (path: string, options: SendOptions = {}) =>
        fetch(`${base}${path}`, {
          method: options.method ?? "GET",
          headers: { Authorization: `Bearer ${KEY}`, ...options.headers },
        });
      const judged = TRAFFIC.filter(([path, status, options]) =>
        status < 400 && options?.key === undefined && !path.includes("x=1")
      );
      for (const [path, status, options] of judged) {
        const response = await get(path, options);
        expect([path, response.status]).toEqual([path, status]);
        await response.arrayBuffer();
      }
      expect((await get("/v1/scores?ticker=NOPE")).status).toBe(404);
      server.faults.add({ kind: "score_out_of_range" });
      const broken = await get("/v1/scores");
      expect(broken.status).toBe(500);
      expect(await broken.text()).toContain("VIOLATIONS");
    },
  );
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
