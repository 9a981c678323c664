import type { AnswerHead, SendOptions } from "../../transport/exchange.ts";
import type { ConnectionContext } from "./connection_context.ts";

/** Identity of a load, and its caller. */
export interface ShareOptions {
  /** Identity of the load, in any form that JSON can write. */
  readonly what: unknown;
  /** The caller's settings for its requests. */
  readonly exchange: SendOptions;
}

/**
 * Loads, or joins the equal load of this connection that is in flight.
 *
 * Equal are loads of the same thing with the same options. One that bounds its own time or waiting asks for itself,
 * because its bounds count from its own start. The joined load has no requests of its own: the `attempts` of its answer
 * are 0, and progress counts none.
 *
 * @param run Loads with the options that all its callers have; `null` if nothing was needed
 */
export async function shareLoad<Result extends { readonly answer: AnswerHead }>(
  { loads }: Pick<ConnectionContext, "loads">,
  { what, exchange }: ShareOptions,
  run: (exchange: SendOptions) => Promise<Result | null>,
): Promise<Result | null> {
  const { patience, signal, waitSignal, ...rest } = exchange;
  const isBounded = patience !== undefined &&
    (patience.deadlineMs !== null || patience.waits !== null);
  if (isBounded) return await run(exchange);
  const caller = {
    key: JSON.stringify([what, rest]),
    ...(signal && { signal }),
    ...(waitSignal && { waitSignal }),
  };
  const { result, isJoined } = await loads.share<Result | null>(
    caller,
    (signals) => run({ ...exchange, ...signals }),
  );
  if (result === null || !isJoined) return result;
  return { ...result, answer: { ...result.answer, attempts: 0 } };
}
