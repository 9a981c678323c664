import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectionLimit } from "../../../src/server/http/http_server.ts";

const PROGRAM = join(import.meta.dirname!, "_crowded_process.ts");

test.each([[64, 16], [256, 64], [1_024, 256], [10, 8], [1_048_576, 1_000], [Infinity, 1_000]])(
  "a process that may open %d files takes %d connections at once",
  (openFiles, connections) => {
    expect(connectionLimit(openFiles)).toBe(connections);
  },
);

describe("a server whose process has 64 files to open", () => {
  let child: Deno.ChildProcess;
  let port: number;
  let said = "";
  beforeEach(async () => {
    said = "";
    const command = `ulimit -n 64; exec "${Deno.execPath()}" run -A "${PROGRAM}"`;
    child = new Deno.Command("sh", { args: ["-c", command], stdout: "piped", stderr: "null" })
      .spawn();
    void follow(child.stdout);
    while (!said.includes("\n")) await setTimeout(20);
    port = Number.parseInt(said);
  });
  afterEach(async () => {
    child.kill("SIGTERM");
    await child.status;
  });

  async function follow(stream: ReadableStream<Uint8Array>): Promise<void> {
    for await (const piece of stream) said += new TextDecoder().decode(piece);
  }

  async function crowd(count: number): Promise<void> {
    const sockets: Socket[] = [];
    for (let i = 0; i < count; i++) {
      sockets.push(connect(port, "127.0.0.1").on("error", () => {}));
    }
    await setTimeout(500);
    for (const socket of sockets) socket.destroy();
  }

  const ask = async (): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/factors`, {
      signal: AbortSignal.timeout(2_000),
    });
    await answer.body?.cancel();
    return answer.status;
  };

  /** The status once the server has noticed that the crowd went, whose places are taken until then. */
  const askUntilAnswered = async (): Promise<number> => {
    for (let tries = 0; tries < 100; tries++) {
      const status = await ask().catch(() => null);
      if (status !== null) return status;
      await setTimeout(200);
    }
    return await ask();
  };

  // @silent 8 server/http/http_server.ts: A server accepts as many connections as a quarter of its process's limit of open files
  test("answers after a crowd that it has room for", async () => {
    await crowd(30);
    expect(await askUntilAnswered()).toBe(401);
    expect(said.trim().split("\n")).toHaveLength(1);
  });

  // @silent 8 server/http/_keep_listening.ts: A server that stopped accepting connections because open files ran out listens again, and writes a line about it
  test("listens again after a crowd that took all its files, and says so", async () => {
    await crowd(200);
    expect(await askUntilAnswered()).toBe(401);
    expect(said).toMatch(
      /The server on port \d+ accepted no connections, as happens when its process reaches the limit of open files; it is listening again/,
    );
  });
});
