import type { Factor } from "../../../contract/factor.ts";
import { instantOf } from "../../../contract/instant.ts";
import { encodeRelease } from "../../../contract/release.ts";
import type { StoredRelease } from "../../../store/release/release_file.ts";
import type { HandlerCall, HandlerReply } from "../handler.ts";
import { jsonReply } from "./json_reply.ts";
import { preparing, Refusal } from "../../message/refusal.ts";

/** Answers `GET /v1/scores/history`: the metadata of the factor's release (section 4.4). */
export async function serveHistory(
  call: HandlerCall<{ readonly factor: Factor }>,
): Promise<HandlerReply> {
  const { release } = await selectRelease(call);
  const download = `/v1/scores/history.csv.gz?factor=${call.query.factor}`;
  return jsonReply(encodeRelease({ ...release, download }));
}

/**
 * The release that is served now.
 *
 * @throws {Refusal} 503 `historical_export_preparing` if there is none yet; 404 `score_snapshot_not_available` if the
 * server plays a partial recording without one, which waiting would not change
 */
export async function selectRelease(
  call: HandlerCall<{ readonly factor: Factor }>,
): Promise<StoredRelease> {
  const { factor } = call.query;
  const stored = await call.catalogue.release(factor, call.nowMs);
  if (stored !== null) return stored;
  if (!call.catalogue.provesNoRelease(factor, call.nowMs)) {
    const now = instantOf(call.nowMs);
    const next = await call.catalogue.nextRelease(factor, call.nowMs);
    throw new Refusal(
      "score_snapshot_not_available",
      `This server plays a recording that holds no release of ${factor} up to its time ${now}`,
      {
        details: { proved: false },
        ...(next !== null && { hint: `it has one from ${next} on, when it was received` }),
      },
    );
  }
  const message = `The historical release of ${factor} is being prepared`;
  throw preparing("historical_export_preparing", message);
}
