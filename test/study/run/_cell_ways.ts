/** Where the ways lead: listeners and files outside of the box, which tell whether something arrived. */
export interface Aims {
  /** TCP and HTTP. */
  readonly port: number;
  /** UDP. */
  readonly udp: number;
  /** Listening socket by path. */
  readonly socket: string;
  /** Files that a reader has, with a secret in each. */
  readonly secrets: readonly string[];
  /** File of the reader's that must stay as it is. */
  readonly target: string;
  /** Folder of the reader's in which nothing may appear. */
  readonly home: string;
  /** Folder of the study. */
  readonly study: string;
  /** Process of the reader's. */
  readonly victim: number;
  /** Process that runs the box. */
  readonly runner: number;
  /** Word that only the secrets have. */
  readonly key: string;
  /** This Deno. */
  readonly deno: string;
  /** Names of sockets outside of the file system. */
  readonly abstract: string;
}

const POLARS = `const { default: pl } = await import("nodejs-polars");
  const soon = (work) => Promise.race([work, new Promise((end) => setTimeout(() => end("late"), 400))]);`;
const SETTINGS = ["kernel/core_pattern", "kernel/hostname", "vm/swappiness", "fs/file-max"];

/** Ways out of a cell with what Deno and Polars have, each a body of an async function. */
export function cellWays(aims: Aims): readonly string[] {
  const { port, udp, socket, secrets, target, home, study, victim, runner } = aims;
  const url = `http://127.0.0.1:${port}`;
  const text = JSON.stringify;
  return [
    ...["127.0.0.1", "localhost", "0.0.0.0", "127.0.0.2", "[::1]", "[::ffff:127.0.0.1]"]
      .map((host) => `await fetch("http://${host}:${port}/fetch");`),
    ...["127.0.0.1", "0.0.0.0", "::1"]
      .map((hostname) => `await Deno.connect({ hostname: "${hostname}", port: ${port} });`),
    `await Deno.connectTls({ hostname: "127.0.0.1", port: ${port} });`,
    `await Deno.connect({ transport: "unix", path: ${text(socket)} });`,
    `await Deno.listenDatagram({ port: 0, transport: "udp" }).send(new Uint8Array(3), { transport: "udp", hostname: "127.0.0.1", port: ${udp} });`,
    `await Deno.listenDatagram({ path: ${text(`${home}/own.sock`)}, transport: "unixpacket" });`,
    `await Deno.listen({ port: 8999 });`,
    `Deno.serve({ port: 0 }, () => new Response("x")); await new Promise((end) => setTimeout(end, 50));`,
    `await new Promise((_, no) => { new WebSocket("ws://127.0.0.1:${port}").onerror = no; });`,
    `await new Promise((_, no) => { new EventSource("${url}").onerror = no; });`,
    `const ws = new WebSocketStream("ws://127.0.0.1:${port}"); await ws.opened;`,
    `await import("${url}/x.ts");`,
    `await import("npm:left-pad@1.3.0");`,
    `await import("jsr:@std/assert");`,
    `await import(${text(`file://${secrets[0]}`)});`,
    `await import(${text(`data:text/javascript,await fetch('${url}/data')`)});`,
    `await import("${url}/x.json", { with: { type: "json" } });`,
    `await new Promise((ok, no) => import("node:http").then(({ get }) => get("${url}", ok).on("error", no)));`,
    `await new Promise((ok, no) => import("node:http2").then(({ connect }) => connect("${url}").on("connect", ok).on("error", no)));`,
    `await new Promise((ok, no) => import("node:net").then(({ connect }) => connect(${port}, ok).on("error", no)));`,
    `await new Promise((ok, no) => import("node:net").then(({ connect }) => connect(${
      text(socket)
    }, ok).on("error", no)));`,
    `await new Promise((ok, no) => import("node:tls").then(({ connect }) => connect(${port}, ok).on("error", no)));`,
    `await new Promise((ok) => import("node:dgram").then(({ createSocket }) => createSocket("udp4").send("x", ${udp}, "127.0.0.1", ok)));`,
    `await (await import("node:dns/promises")).lookup("example.com");`,
    `await Deno.resolveDns("example.com", "A");`,
    `return JSON.stringify(Deno.networkInterfaces());`,
    `new Worker("${url}/w.ts", { type: "module" }); await new Promise((end) => setTimeout(end, 200));`,
    `new Worker("data:text/javascript,fetch('${url}')", { type: "module" }); await new Promise((end) => setTimeout(end, 200));`,
    `new (await import("node:worker_threads")).Worker("fetch('${url}')", { eval: true }); await new Promise((end) => setTimeout(end, 200));`,
    ...["curl", "/usr/bin/curl", "bash", "python3", "git", "ssh", Deno.execPath()]
      .map((program) => `new Deno.Command(${text(program)}, { args: ["${url}"] }).outputSync();`),
    `(await import("node:child_process")).execSync("curl ${url}");`,
    `(await import("node:child_process")).fork(${text(target)});`,
    `(await import("node:child_process")).spawnSync("sh", ["-c", "cat ${secrets[0]}"]);`,
    `Deno.dlopen("libc.so.6", { system: { parameters: ["buffer"], result: "i32" } });`,
    `process.dlopen({ exports: {} }, "/x.node");`,
    `(await import("node:module")).createRequire("file:///x.ts")("/x.node");`,
    `new (await import("node:sqlite")).DatabaseSync(":memory:", { allowExtension: true }).loadExtension("/x.so");`,
    ...secrets.map((path) =>
      `const { DatabaseSync } = await import("node:sqlite"); new DatabaseSync(":memory:").exec(${
        text(`attach '${path}' as s; select * from s.sqlite_master`)
      });`
    ),
    `new (await import("node:vm")).Script("fetch('${url}')").runInThisContext();`,
    `await (await Deno.openKv("${url}")).get(["a"]);`,
    ...["CSV", "Parquet", "IPC"].map((kind) =>
      `${POLARS} await soon(pl.scan${kind}("${url}/${kind}").collect());`
    ),
    `${POLARS} await soon(pl.scanCSV("s3://bucket/x", { cloudOptions: { endpoint: "${url}" } }).collect());`,
    `${POLARS} await soon(pl.scanParquet("gs://bucket/x").collect());`,
    `${POLARS} pl.readCSV("${url}/csv");`,
    ...secrets.flatMap((path) => [
      `return Deno.readTextFileSync(${text(path)});`,
      `${POLARS} return pl.readCSV(${text(path)}).columns;`,
      `return (await import("node:fs")).readFileSync(${text(path)});`,
      `Deno.symlinkSync(${text(path)}, "l" + Math.random()); return Deno.readTextFileSync("link");`,
      `const name = "h" + Math.random(); Deno.linkSync(${
        text(path)
      }, name); return Deno.readTextFileSync(name);`,
      `return Deno.readTextFileSync("/proc/self/root" + ${text(path)});`,
      `return Deno.readTextFileSync("/proc/${runner}/root" + ${text(path)});`,
    ]),
    `return [...Deno.readDirSync(${text(home)})].map((it) => it.name);`,
    `return Object.values(Deno.env.toObject()).join();`,
    ...[1, runner, victim].map((id) => `return Deno.readTextFileSync("/proc/${id}/environ");`),
    `return Deno.readTextFileSync("/etc/shadow");`,
    ...SETTINGS.map((name) => `Deno.writeTextFileSync("/proc/sys/${name}", "1");`),
    ...SETTINGS.map((name) =>
      `${POLARS} pl.DataFrame({ core: ["1"] }).writeCSV("/proc/sys/${name}");`
    ),
    `${POLARS} pl.DataFrame({ a: [1] }).writeCSV(${text(target)});`,
    `${POLARS} pl.DataFrame({ a: [1] }).writeParquet(${text(`${home}/written`)});`,
    `Deno.writeTextFileSync(${text(target)}, "x");`,
    `Deno.writeTextFileSync(${text(`${home}/written`)}, "x");`,
    `Deno.writeTextFileSync(${text(`${study}/written`)}, "x");`,
    `Deno.writeTextFileSync(${text(Deno.execPath())}, "x");`,
    `Deno.removeSync(${text(`${study}/own.txt`)});`,
    `Deno.writeTextFileSync("own.txt", "changed");`,
    `Deno.chmodSync(${text(target)}, 0o777);`,
    `Deno.utimeSync(${text(target)}, 0, 0);`,
    `Deno.renameSync(${text(target)}, ${text(`${home}/written`)});`,
    `Deno.kill(${victim}, "SIGKILL");`,
    `process.kill(${runner}, "SIGKILL");`,
    `(await import("node:os")).setPriority(${victim}, 19);`,
    `await Deno.permissions.request({ name: "net" }); await fetch("${url}");`,
    `for (const name of ["net", "run", "ffi"]) await Deno.permissions.request({ name });`,
    `const { core } = Deno[Deno.internal]; return Object.keys(core.ops).length && core.ops.op_read_file_sync?.(${
      text(secrets[0])
    });`,
  ];
}
