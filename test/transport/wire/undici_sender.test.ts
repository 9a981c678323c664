import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { wasNeverSent } from "../../../src/transport/call/call_failure.ts";
import { createUndiciSender } from "../../../src/transport/wire/undici_sender.ts";

let server: Server;
let url: string;
beforeEach(async () => {
  // More than the sockets hold, so that a body that nobody reads keeps its connection busy.
  server = createServer((_request, response) => response.end("x".repeat(8_000_000)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function get(sender = createUndiciSender(), address = url) {
  const controller = new AbortController();
  const { signal } = controller;
  const answer = sender.send({ method: "GET", url: address, headers: {}, signal });
  return { answer, abort: () => controller.abort() };
}

describe("the sender over the network", () => {
  test("has its connections again after answers that nobody read", async () => {
    const sender = createUndiciSender();
    for (let i = 0; i < 7; i++) {
      const { answer, abort } = get(sender);
      expect((await answer).status).toBe(200);
      abort();
    }
    await sender.close();
  });

  test("closes at once, also while a body is open", async () => {
    const sender = createUndiciSender();
    const { body } = await get(sender).answer;
    await sender.close();
    await sender.close();
    const read = async () => {
      for await (const _chunk of body!);
    };
    await expect(read()).rejects.toThrow();
  });

  test("tells by its error that a request never left, and when it may have", async () => {
    const dead = createServer();
    await new Promise<void>((resolve) => dead.listen(0, "127.0.0.1", resolve));
    const { port } = dead.address() as AddressInfo;
    await new Promise((resolve) => dead.close(resolve));
    const refused = await get(undefined, `http://127.0.0.1:${port}/`).answer.catch((error) =>
      error
    );
    expect(wasNeverSent(refused)).toBe(true);
    server.removeAllListeners("request").on("request", (request) => request.socket.destroy());
    const broken = await get().answer.catch((error) => error);
    expect(broken).toBeInstanceOf(Error);
    expect(wasNeverSent(broken)).toBe(false);
  });

  test("sends the whole target, and gives every line of a repeated or long header", async () => {
    const targets: (string | undefined)[] = [];
    server.removeAllListeners("request").on("request", (request, response) => {
      targets.push(request.url);
      response.setHeader("X-Many", ["a", "b, c"]);
      response.setHeader("X-Long", "x".repeat(20_000));
      response.end();
    });
    const sender = createUndiciSender();
    const { headers } = await get(sender, `${url}v1/scores?factor=ecpnd&format=csv`).answer;
    expect(targets).toEqual(["/v1/scores?factor=ecpnd&format=csv"]);
    expect([headers.get("X-Many"), headers.get("X-Long")!.length]).toEqual(["a, b, c", 20_000]);
    await sender.close();
  });
});
