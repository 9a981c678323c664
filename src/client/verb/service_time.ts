import type { Session } from "./connection_context.ts";

/** The time by the service's clock, as far as its answers told it; epoch milliseconds. */
export function serviceNowMs({ clock, ledger }: Pick<Session, "clock" | "ledger">): number {
  return clock.now() + (ledger.read().clockOffsetMs ?? 0);
}
