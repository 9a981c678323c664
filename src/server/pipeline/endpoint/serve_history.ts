import type { Factor } from "../../../base/contract/factor.ts";
import { encodeRelease } from "../../../base/contract/release.ts";
import type { HandlerCall } from "../handler.ts";
import type { HandlerReply } from "../../message/handler_reply.ts";
import { jsonReply } from "./json_reply.ts";

/** Answers `GET /v1/scores/history`: the metadata of the factor's release (section 4.4). */
export async function serveHistory(
  call: HandlerCall<{ readonly factor: Factor }>,
): Promise<HandlerReply> {
  const { factor } = call.query;
  const release = await call.contents.release(factor, call);
  const download = `/v1/scores/history.csv.gz?factor=${factor}`;
  return jsonReply(encodeRelease({ ...release, download }));
}
