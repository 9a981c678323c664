import type { HeaderField, ReplyBody } from "./message.ts";

/** The answer of a data handler; the pipeline adds the common headers of section 4.1. */
export interface HandlerReply {
  /** HTTP status. */
  readonly status: 200 | 304;
  /** Headers of this endpoint. */
  readonly headers: readonly HeaderField[];
  /** Body; `null` for 304 and HEAD. */
  readonly body: ReplyBody;
}
