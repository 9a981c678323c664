import type { Agent } from "undici";
import { LIMITS } from "../../../base/contract/limits.ts";
import { AnswerReceiver } from "./_answer_receiver.ts";
import type { Sender } from "./sender.ts";

/**
 * Sends requests over the network.
 *
 * undici is loaded with the first request, because its import takes longer than that of Polars. Its timers are off: they have a
 * resolution of a second, and the exchange has its own deadlines.
 */
export function createUndiciSender(): Sender {
  let agent: Promise<Agent> | undefined;
  const connect = async () => {
    const { Agent } = await import("undici");
    return new Agent({
      connections: LIMITS.concurrentRequests,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: LIMITS.headerBytes * 4,
    });
  };
  return {
    async send({ method, url, headers, signal }) {
      agent ??= connect();
      const dispatcher = await agent;
      const { origin, pathname, search } = new URL(url);
      const path = `${pathname}${search}`;
      const receiver = new AnswerReceiver(signal);
      dispatcher.dispatch({ origin, path, method, headers }, receiver);
      return await receiver.answer;
    },
    async close() {
      // A failure to load it was reported by the first request.
      const opened = await agent?.catch(() => undefined);
      await opened?.destroy();
    },
  };
}
