import type { EventRow } from "../../../frames/frame/event_frame.ts";
import type { OpenAttempt } from "./attempt.ts";
import { AttemptRefused } from "./attempt_problem.ts";
import type { Call } from "./call.ts";
import { problemOf } from "./call_failure.ts";
import type { Deadline } from "./deadline.ts";
import type { Ticket } from "../allowance/gate.ts";

/** A request in flight. */
export interface Attempt {
  /** Its call. */
  readonly call: Call;
  /** Its place among the account's requests. */
  readonly ticket: Ticket;
  /** Time for it. */
  readonly deadline: Deadline;
  /** Number of the attempt within its call, from 1. */
  readonly number: number;
  /** Time of sending, epoch milliseconds. */
  readonly sentAtMs: number;
}

/** Outcome of an attempt. */
export interface Outcome {
  /** Fault, if there was one. */
  readonly error?: unknown;
  /** Headers of a good answer. */
  readonly head?: OpenAttempt["head"];
  /** Received bytes of the body of a good answer. */
  readonly bodyBytes?: number | null;
}

/** Log entry of an attempt. */
export function attemptEvent(
  { call: { request }, number, sentAtMs }: Attempt,
  outcome: Outcome & { readonly endedAtMs: number },
): EventRow {
  const { error, head, bodyBytes = null, endedAtMs } = outcome;
  const refusal = error instanceof AttemptRefused ? error.refusal : null;
  return {
    atMs: sentAtMs,
    method: request.method,
    path: request.path,
    attempt: number,
    status: head?.status ?? refusal?.status ?? null,
    problem: error === undefined ? null : problemOf(error),
    requestId: head?.requestId ?? refusal?.requestId ?? null,
    durationMs: endedAtMs - sentAtMs,
    bodyBytes,
  };
}
