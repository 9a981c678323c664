import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { deliverReply } from "../../../src/server/http/_deliver_reply.ts";
import type {
  ApiReply,
  DeliveryFault,
  DeliveryOutcome,
} from "../../../src/server/message/message.ts";
import { DEFAULT_TIMES } from "../../../src/server/server_times.ts";

const ORDERLY: DeliveryFault = {
  contentLength: 20,
  stopAfterBytes: 20,
  reset: false,
  chunkBytes: 10,
  intervalMs: 0,
};

/** How the delivery of a file ends that can be read as far as its tenth byte; it has twenty. */
async function deliverBroken(delivery: DeliveryFault | null): Promise<DeliveryOutcome> {
  const { promise: outcome, resolve: finish } = Promise.withResolvers<DeliveryOutcome>();
  const body = {
    sizeBytes: 20,
    async *open() {
      yield new Uint8Array(10);
      await Promise.reject(new Error("EIO"));
    },
  };
  const headers = [["Content-Length", "20"]] as const;
  const reply: ApiReply = { status: 200, headers, body, delivery, free: () => {}, finish };
  const server = createServer((_, response) => {
    const socket = response.socket!;
    const where = { response, socket, times: DEFAULT_TIMES, last: false, unread: null };
    void deliverReply(reply, where);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const whole = fetch(`http://127.0.0.1:${port}`).then((response) => response.arrayBuffer());
  await expect(whole).rejects.toThrow();
  await new Promise((resolve) => server.close(resolve));
  return await outcome;
}

test.each([
  ["in order", null],
  ["by a fault", ORDERLY],
])("a file that breaks off is delivered %s with the bytes that were sent", async (_, delivery) => {
  expect(await deliverBroken(delivery)).toEqual({ sentBytes: 10, complete: false });
});
