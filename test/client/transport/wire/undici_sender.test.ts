import { Buffer } from "node:buffer";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { wasNeverSent } from "../../../../src/client/transport/call/call_failure.ts";
import { createUndiciSender } from "../../../../src/client/transport/wire/undici_sender.ts";

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

  test("gives a body in the order of its arrival, however slowly it is read", async () => {
    server.removeAllListeners("request").on("request", (_request, response) => {
      response.end(Uint8Array.from({ length: 3_000_000 }, (_, i) => i % 251));
    });
    const sender = createUndiciSender();
    const answer = await get(sender).answer;
    const { body, isWhole } = answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isWhole!()).toBe(false);
    const received: Uint8Array[] = [];
    for await (const chunk of body!) {
      received.push(chunk);
      if (received.length % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const bytes = Buffer.concat(received);
    expect(bytes.length).toBe(3_000_000);
    expect(bytes.every((byte, i) => byte === i % 251)).toBe(true);
    expect(isWhole!()).toBe(true);
    await sender.close();
  });

  test("tells that a small answer has arrived whole, and reads it after its request has ended", async () => {
    server.removeAllListeners("request").on("request", (_request, response) => {
      response.end("small");
    });
    const sender = createUndiciSender();
    const { answer, abort } = get(sender);
    const { body, isWhole } = await answer;
    while (!isWhole!()) await new Promise((resolve) => setTimeout(resolve, 1));
    const chunks: Uint8Array[] = [];
    for await (const chunk of body!) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("small");
    abort();
    expect((await get(sender).answer).status).toBe(200);
    await sender.close();
  });

  test("fails with the reason of its signal, before the answer and within the body", async () => {
    const sender = createUndiciSender();
    const reason = new Error("enough");
    const over = AbortSignal.abort(reason);
    const early = sender.send({ method: "GET", url, headers: {}, signal: over });
    await expect(early).rejects.toBe(reason);
    const controller = new AbortController();
    const { body } = await sender.send({
      method: "GET",
      url,
      headers: {},
      signal: controller.signal,
    });
    const read = async () => {
      for await (const _chunk of body!) controller.abort(reason);
    };
    await expect(read()).rejects.toBe(reason);
    await sender.close();
  });

  test("fails within a body that breaks off", async () => {
    server.removeAllListeners("request").on("request", (_request, response) => {
      response.setHeader("Content-Length", "1000");
      response.write("half");
      setTimeout(() => response.destroy(), 20);
    });
    const sender = createUndiciSender();
    const { body } = await get(sender).answer;
    const read = async () => {
      for await (const _chunk of body!);
    };
    await expect(read()).rejects.toThrow();
    await sender.close();
  });

  test("lets go of a connection whose reader leaves early", async () => {
    const sender = createUndiciSender();
    for (let i = 0; i < 7; i++) {
      const { body } = await get(sender).answer;
      for await (const _chunk of body!) break;
    }
    await sender.close();
  });
});
