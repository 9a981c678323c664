import { execFile, spawn, spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../helpers/source_files.ts";

const run = promisify(execFile);

/** True if nginx and openssl are installed. */
export const hasNginx = ["nginx", "openssl"].every((name) =>
  spawnSync(name, ["-h"]).error === undefined
);

/** Debian's nginx with the configuration of docs/relay.md, in front of a relay. */
export interface TestNginx {
  /** Address, with TLS. */
  readonly url: string;
  /** File of the certificate, which signs itself. */
  readonly certificate: string;
  /** Ends it. */
  close(): Promise<void>;
}

/** The first block of a language in docs/relay.md. */
export async function blockOf(language: string): Promise<string> {
  const guide = await readFile(join(ROOT, "docs/relay.md"), "utf8");
  const found = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(guide)?.[1];
  if (found === undefined) throw new Error(`docs/relay.md has no block of ${language}`);
  return found;
}

/** Starts nginx in front of a relay; its files are in the folder. */
export async function startNginx(folder: string, relayUrl: string): Promise<TestNginx> {
  const port = await freePort();
  await run("openssl", [
    ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"],
    ...["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")],
    ...["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
    ...["-addext", "basicConstraints=critical,CA:FALSE"],
  ]);
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
  await run("nginx", ["-t", "-q", "-c", path, "-p", folder]);
  const nginx = spawn("nginx", ["-c", path, "-p", folder], { stdio: "inherit" });
  const ended = new Promise((resolve) => nginx.once("exit", resolve));
  await untilListening(port);
  return {
    url: `https://localhost:${port}`,
    certificate: join(folder, "cert.pem"),
    close: async () => {
      nginx.kill();
      await ended;
    },
  };
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0;; tries++) {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port }).catch(() => null);
    if (connection !== null) return connection.close();
    if (tries > 200) throw new Error("nginx does not listen");
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
