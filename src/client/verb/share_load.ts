import type { AnswerHead, SendOptions } from "../transport/exchange.ts";
import type { ConnectionContext } from "./connection_context.ts";

/**
 * Loads, or joins an equal load of this connection in flight.
 *
 * Loads of the same data with the same options are equal. A load with its own time limits is never joined, because they count
 * from its own start. A joined load sends no requests: `attempts` of its answer is 0, and progress counts none.
 *
 * @param what Identity of the load, in any form that JSON can represent
 * @param run Loads with the options that all callers share; returns `null` if nothing was needed
 */
export async function shareLoad<Result extends { readonly answer: AnswerHead }>(
  { loads }: Pick<ConnectionContext, "loads">,
  { what, exchange }: { readonly what: unknown; readonly exchange: SendOptions },
  run: (exchange: SendOptions) => Promise<Result | null>,
): Promise<Result | null> {
  const { patience, signal, waitSignal, ...rest } = exchange;
  const isBounded = patience !== undefined &&
    (patience.deadlineMs !== null || patience.waits !== null);
  if (isBounded) return await run(exchange);
  const key = JSON.stringify([what, rest]);
  const caller = { key, ...(signal && { signal }), ...(waitSignal && { waitSignal }) };
  const { result, isJoined } = await loads.share<Result | null>(
    caller,
    (signals) => run({ ...exchange, ...signals }),
  );
  if (result === null || !isJoined) return result;
  return { ...result, answer: { ...result.answer, attempts: 0 } };
}
