import type { Dispatcher } from "undici";
import { LIMITS } from "../../../base/contract/limits.ts";
import { AnswerReceiver } from "./_answer_receiver.ts";
import type { Proxy } from "./proxy.ts";
import type { Sender } from "./sender.ts";

/**
 * Sends requests over the network.
 *
 * undici is loaded with the first request, because its import takes longer than that of Polars. Its timers are off: they have a
 * resolution of a second, and the exchange has its own deadlines.
 *
 * @param proxy Carries the requests; a request over https only as bytes that it cannot read
 */
export function createUndiciSender(proxy: Proxy | null = null): Sender {
  let agent: Promise<Dispatcher> | undefined;
  const connect = async () => {
    const { Agent, ProxyAgent } = await import("undici");
    const options = {
      connections: LIMITS.concurrentRequests,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: LIMITS.headerBytes * 4,
    };
    return proxy === null ? new Agent(options) : new ProxyAgent({ ...options, uri: proxy.url });
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
