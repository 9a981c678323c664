import type { HeaderField } from "../message/message.ts";
import type { AdmittedRequest } from "../account/quotas.ts";

/** Findings of the pipeline about a request on its way, for the reply, the journal and the quota. */
export interface Trace {
  /** The service's id of the request. */
  readonly requestId: string;
  /** Its number in the order of arrival. */
  readonly arrival: number;
  /** Server time of its arrival, epoch milliseconds. */
  readonly nowMs: number;
  /** Real time of its arrival, epoch milliseconds. */
  readonly realMs: number;
  /** Account, once the key was recognised. */
  account: string | null;
  /** The admission, once it was given. */
  admission: AdmittedRequest | null;
  /** True if the answer can never change: an `at` or a `snapshot_id` was asked for. */
  immutable: boolean;
  /** Kinds of the faults that struck. */
  faults: readonly string[];
  /** Error code of the answer. */
  code: string | null;
  /** Why it was refused. */
  note: string | null;
}

/** Value of a header in a list of fields, by its exact name. */
export function headerOf(headers: readonly HeaderField[], name: string): string | null {
  return headers.find(([candidate]) => candidate === name)?.[1] ?? null;
}
