import type { HeaderField } from "../message/message.ts";
import type { AdmittedRequest } from "../account/quotas.ts";

/** Facts that the pipeline collects about a request, for the reply, the journal and the quota. */
export interface Trace {
  /** The service's id of the request. */
  readonly requestId: string;
  /** Its number in order of arrival. */
  readonly arrival: number;
  /** Server time of its arrival, epoch milliseconds. */
  readonly nowMs: number;
  /** Real time of its arrival, epoch milliseconds. */
  readonly realMs: number;
  /** Account, once the key is recognised. */
  account: string | null;
  /** Admission, once granted. */
  admission: AdmittedRequest | null;
  /** True if the answer can never change, because of `at` or `snapshot_id`. */
  immutable: boolean;
  /** Kinds of the applied faults. */
  faults: readonly string[];
  /** Error code of the answer. */
  code: string | null;
  /** Reason of a refusal. */
  note: string | null;
}

/** Value of a header in a list of fields, by its exact name. */
export function headerOf(headers: readonly HeaderField[], name: string): string | null {
  return headers.find(([candidate]) => candidate === name)?.[1] ?? null;
}
