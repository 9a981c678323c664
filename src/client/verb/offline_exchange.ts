import { isFactor } from "../../base/contract/factor.ts";
import { TransportError } from "../../base/errors.ts";
import type { Store } from "../../base/store/store.ts";
import type { Exchange, ExchangeRequest } from "../transport/exchange.ts";

/** Settings of an offline connection. */
export interface OfflineSettings {
  /** Base address of the service of the store. */
  readonly origin: string;
  /** Store that answers in place of the service. */
  readonly store: Store;
  /** Setting that made the connection offline: `offline: true` or `SCOREFRAME_OFFLINE=1`. */
  readonly because: string;
}

/**
 * Exchange of an offline connection: refuses every request with an error that lists what the store has, and opens no socket.
 */
export function offlineExchange({ origin, store, because }: OfflineSettings): Exchange {
  const send = async (request: ExchangeRequest): Promise<never> => {
    throw new TransportError(
      `Cannot ${request.action}: expected a connection to the service, got an offline one ` +
        `(${because}); ${await adviceFor(request, store)}`,
    );
  };
  return { origin, send, sendIfNeeded: send, open: send, close: () => Promise.resolve() };
}

async function adviceFor({ path, endpoint }: ExchangeRequest, store: Store): Promise<string> {
  const factor = new URLSearchParams(path.split("?")[1]).get("factor") ?? "";
  if (endpoint !== "scores" || !isFactor(factor)) return "load it over the network";
  const checks = await store.listChecks(factor);
  const [first, last] = [checks.at(0), checks.at(-1)];
  if (first === undefined || last === undefined) {
    return `the store ${store.path} has no ${factor} check, so load it over the network`;
  }
  return `the store ${store.path} has ${checks.length} ${factor} checks, from ${first.lastCheckedAt} to ` +
    `${last.lastCheckedAt}; at: "${last.lastCheckedAt}" returns the last of them`;
}
