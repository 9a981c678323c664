import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect as connectSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connect } from "../../../../src/client/connect.ts";
import { proxyFor } from "../../../../src/client/transport/wire/proxy.ts";

const KEY = "svc_test_through_a_proxy";
const LIVE_KEY = ["svc", "live", "through_a_proxy"].join("_");
const FACTORS = JSON.stringify({ factors: [] });

let proxy: Server;
let proxyUrl: string;
let log: string[];
let tunnel: { status: number; port: number };
let folder: string;
const servers: Server[] = [];

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

// Logs what it can read: a tunnel's target and its own password; of a plain request everything.
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-proxy-test-"));
  log = [];
  tunnel = { status: 200, port: 0 };
  proxy = createServer((request, response) => {
    log.push(`${request.method} ${request.url}`, ...Object.values(request.headers).map(String));
    response.setHeader("content-type", "application/json");
    response.end(FACTORS);
  });
  proxy.on("connect", (request, socket) => {
    log.push(`CONNECT ${request.url}`, String(request.headers["proxy-authorization"] ?? "open"));
    socket.on("error", () => {});
    if (tunnel.status !== 200) return void socket.end(`HTTP/1.1 ${tunnel.status} No\r\n\r\n`);
    const service = connectSocket(tunnel.port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      service.pipe(socket).pipe(service);
    });
    service.on("error", () => socket.destroy());
  });
  proxyUrl = `http://desk:secret@127.0.0.1:${await listening(proxy)}`;
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await rm(folder, { recursive: true });
});

async function factors(baseUrl: string, environment: Record<string, string>): Promise<unknown> {
  const retries = { maxRetries: 0 };
  await using api = await connect({
    ...{ apiKey: KEY, baseUrl, environment, cacheDir: folder, store: join(folder, "store") },
    ...retries,
  });
  return await api.factors().then(({ height }) => height, (error: unknown) => error);
}

describe("a proxy of the environment", () => {
  test.each([
    ["https://scores.example", { HTTPS_PROXY: "http://p:1" }, "http://p:1 (HTTPS_PROXY)"],
    ["https://scores.example", { https_proxy: "p:1" }, "http://p:1 (https_proxy)"],
    ["https://scores.example", { HTTP_PROXY: "http://p:1" }, "http://p:1 (HTTP_PROXY)"],
    ["http://scores.example", { HTTPS_PROXY: "http://p:1" }, null],
    ["https://scores.example", { HTTPS_PROXY: " " }, null],
    ["https://scores.example", { HTTPS_PROXY: "http://me:pw@p:1" }, "http://p:1 (HTTPS_PROXY)"],
    ["http://localhost:80", { HTTP_PROXY: "http://p:1" }, null],
    ["http://127.0.0.1:80", { HTTP_PROXY: "http://p:1" }, null],
    ["https://[::1]", { HTTPS_PROXY: "http://p:1" }, null],
  ])("for %s with %o is %s", (address, environment, shown) => {
    expect(proxyFor(address, environment)?.shown ?? null).toBe(shown);
  });

  test.each([
    ["scores.example", true],
    ["SCORES.example", true],
    ["example", true],
    [".example", true],
    ["*.example", true],
    ["*", true],
    ["other.test, scores.example", true],
    ["scores.example:443", true],
    ["scores.example:8443", false],
    ["*.scores.example", false],
    ["cores.example", false],
    ["", false],
  ])("is not used where NO_PROXY %s names the host: %s", (given, isExcepted) => {
    const environment = { HTTPS_PROXY: "http://p:1", NO_PROXY: given };
    expect(proxyFor("https://scores.example", environment) === null).toBe(isExcepted);
  });

  test("that is no http address is refused, without its password", () => {
    const refused = () => proxyFor("https://scores.example", { HTTPS_PROXY: "socks5://me:pw@p:1" });
    expect(refused).toThrow("proxy of HTTPS_PROXY");
    expect(refused).not.toThrow("pw");
  });

  test("of ALL_PROXY is not used, and a failure says so", async () => {
    const environment = { ALL_PROXY: "socks5://p:1" };
    expect(proxyFor("https://scores.example", environment)).toBeNull();
    const failed = await factors("http://scores.invalid", environment) as Error;
    expect(failed.message).toContain("ALL_PROXY is not used: set HTTPS_PROXY");
  });

  test("carries a plain request of a test key, and none to this machine", async () => {
    const environment = { HTTP_PROXY: proxyUrl };
    expect(await factors("http://scores.example", environment)).toBe(0);
    expect(log[0]).toBe("GET http://scores.example/v1/factors");
    const here = await listening(
      createServer((_request, response) =>
        response.setHeader("content-type", "application/json").end(FACTORS)
      ),
    );
    log.length = 0;
    await rm(folder, { recursive: true });
    expect(await factors(`http://127.0.0.1:${here}`, environment)).toBe(0);
    expect(log).toEqual([]);
  });

  test("that refuses, or is not there, is named in the error instead of the address", async () => {
    tunnel.status = 407;
    const refused = await factors("https://scores.example", { HTTPS_PROXY: proxyUrl }) as Error;
    expect(log).toEqual(["CONNECT scores.example:443", `Basic ${btoa("desk:secret")}`]);
    expect(refused.message).toMatch(
      /through the proxy http:\/\/127\.0\.0\.1:\d+ \(HTTPS_PROXY\), got ".*407.*"; the proxy refuses the user/,
    );
    const open = await factors("https://scores.example", {
      HTTPS_PROXY: proxyUrl.replace(/\/\/.*@/, "//"),
    }) as Error;
    expect(open.message).toContain("http://USER:PASSWORD@proxy.example:3128");
    expect(refused.message).not.toContain("secret");
    const gone = await factors("https://scores.example", { HTTPS_PROXY: "http://127.0.0.1:1" });
    expect((gone as Error).message).toContain("http://127.0.0.1:1 (HTTPS_PROXY)");
  });

  test("carries https as a tunnel, which no authority of Deno vouches for until DENO_CERT", async () => {
    const openssl = (...args: string[]) => promisify(execFile)("openssl", args, { cwd: folder });
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    await writeFile(join(folder, "names"), "subjectAltName=DNS:scores.example\n");
    await openssl(
      "req",
      "-x509",
      ...key,
      "-keyout",
      "ca.key",
      "-out",
      "ca.pem",
      "-subj",
      "/CN=Desk",
    );
    await openssl("req", ...key, "-keyout", "key.pem", "-out", "ask.pem", "-subj", "/CN=scores");
    await openssl(
      ...["x509", "-req", "-in", "ask.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"],
      ...["-out", "cert.pem", "-days", "2", "-extfile", "names"],
    );
    const [cert, secret] = await Promise.all(
      ["cert.pem", "key.pem"].map((name) => readFile(join(folder, name))),
    );
    const seen: string[] = [];
    tunnel.port = await listening(
      createSecureServer({ cert, key: secret }, (request, response) => {
        seen.push(String(request.headers.authorization));
        response.setHeader("content-type", "application/json").end(FACTORS);
      }) as unknown as Server,
    );
    const environment = { HTTPS_PROXY: proxyUrl };
    const untrusted = await factors("https://scores.example", environment) as Error;
    expect(untrusted.message).toContain("that Deno knows");
    expect(untrusted.message).toContain("DENO_CERT");
    expect(seen).toEqual([]);
    // The authorities are read when Deno starts.
    const program = `import { connect } from ${
      JSON.stringify(new URL("../../../../src/client/connect.ts", import.meta.url))
    };
      const api = await connect({ cacheDir: ${JSON.stringify(join(folder, "cache"))} });
      console.log((await api.factors()).height);
      await api.close();`;
    const child = await promisify(execFile)(
      Deno.execPath(),
      ["eval", program],
      {
        cwd: import.meta.dirname,
        env: {
          ...process.env,
          ...{ SCOREFRAME_API_KEY: LIVE_KEY, SCOREFRAME_URL: "https://scores.example" },
          ...{ HTTPS_PROXY: proxyUrl, DENO_CERT: join(folder, "ca.pem") },
        },
      },
    );
    expect(child.stdout).toBe("0\n");
    expect(seen).toEqual([`Bearer ${LIVE_KEY}`]);
    expect(log.join("\n")).not.toContain(LIVE_KEY);
  });
});
