import { execFile, spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { ROOT } from "../../helpers/source_files.ts";

const run = promisify(execFile);

/** A proxy of Debian with its configuration of docs/relay.md, in front of a relay. */
export interface TestProxy {
  /** Address, with TLS. */
  readonly url: string;
  /** File of the certificate, which signs itself. */
  readonly certificate: string;
  /** Ends it. */
  close(): Promise<void>;
}

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly relayUrl: string;
}

/** Words of the command that runs each proxy, after its configuration was written. */
const PROXIES = {
  nginx: async ({ folder, port, relayUrl }: Place) => {
    const server = (await blockOf("nginx"))
      .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
      .replace(/ssl_certificate \S+;/, `ssl_certificate ${folder}/cert.pem;`)
      .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${folder}/key.pem;`)
      .replace("http://127.0.0.1:8090", relayUrl);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path ${folder}/${name};`).join("\n");
    const path = join(folder, "nginx.conf");
    await writeFile(
      path,
      `daemon off;\npid ${folder}/pid;\nerror_log stderr warn;\nevents {}\n` +
        `http {\naccess_log off;\n${temporary}\n${server}}\n`,
    );
    return ["-c", path, "-p", folder];
  },
  haproxy: async ({ folder, port, relayUrl }: Place) => {
    const both = [join(folder, "cert.pem"), join(folder, "key.pem")].map((one) => readFile(one));
    await writeFile(join(folder, "both.pem"), await Promise.all(both));
    const path = join(folder, "haproxy.cfg");
    await writeFile(
      path,
      (await blockOf("haproxy")).replace("bind :443", `bind 127.0.0.1:${port}`)
        .replace(/crt \S+/, `crt ${folder}/both.pem`)
        .replace("127.0.0.1:8090", new URL(relayUrl).host),
    );
    return ["-db", "-f", path];
  },
  caddy: async ({ folder, port, relayUrl }: Place) => {
    const path = join(folder, "Caddyfile");
    await writeFile(
      path,
      "{\nadmin off\nauto_https disable_redirects\n}\n" + (await blockOf("caddyfile"))
        .replace("scores.desk.example {", `https://localhost:${port} {`)
        .replace(/tls \S+ \S+/, `tls ${folder}/cert.pem ${folder}/key.pem`)
        .replace("127.0.0.1:8090", new URL(relayUrl).host),
    );
    return ["run", "--config", path, "--adapter", "caddyfile"];
  },
};

/** A proxy of docs/relay.md. */
export type ProxyName = keyof typeof PROXIES;

/** Every proxy of docs/relay.md. */
export const PROXY_NAMES = Object.keys(PROXIES) as ProxyName[];

/** The first block of a language in docs/relay.md. */
export async function blockOf(language: string): Promise<string> {
  const guide = await readFile(join(ROOT, "docs/relay.md"), "utf8");
  const found = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(guide)?.[1];
  if (found === undefined) throw new Error(`docs/relay.md has no block of ${language}`);
  return found;
}

/** Starts a proxy in front of a relay; its files are in the folder. */
export async function startProxy(
  name: ProxyName,
  folder: string,
  relayUrl: string,
): Promise<TestProxy> {
  const port = await freePort();
  await run("openssl", [
    ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"],
    ...["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")],
    ...["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
    ...["-addext", "basicConstraints=critical,CA:FALSE"],
  ]);
  const words = await PROXIES[name]({ folder, port, relayUrl });
  // Caddy keeps its own files below the home directory.
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const proxy = spawn(name, words, { stdio: ["ignore", "ignore", "pipe"], env });
  let errors = "";
  proxy.stderr.on("data", (text) => errors += text);
  const ended = new Promise<void>((resolve) => proxy.once("exit", () => resolve()));
  await Promise.race([
    untilListening(port),
    ended.then(() => Promise.reject(new Error(`${name} ended: ${errors}`))),
  ]);
  return {
    url: `https://localhost:${port}`,
    certificate: join(folder, "cert.pem"),
    close: async () => {
      proxy.kill();
      await ended;
    },
  };
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0;; tries++) {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port }).catch(() => null);
    if (connection !== null) return connection.close();
    if (tries > 500) throw new Error("the proxy does not listen");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
