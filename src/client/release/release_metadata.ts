import type { Factor } from "../../contract/factor.ts";
import { parseRelease, type Release } from "../../contract/release.ts";
import type { AnswerHead, SendOptions } from "../../transport/exchange.ts";
import { bodyJson, readAnswer } from "../verb/read_answer.ts";
import type { Session } from "../verb/connection_context.ts";

/** Loads the metadata of the release that the service offers now. */
export async function loadReleaseMetadata(
  session: Session,
  factor: Factor,
  verb: SendOptions,
): Promise<{ readonly release: Release; readonly answer: AnswerHead }> {
  const action = `load the metadata of the ${factor} history`;
  const answer = await session.exchange.send({
    method: "GET",
    endpoint: "history",
    path: `/v1/scores/history?factor=${factor}`,
    accept: "application/json",
    action,
  }, verb);
  const context = { answer, action, redact: session.redact };
  return { release: readAnswer(context, () => parseRelease(bodyJson(answer), factor)), answer };
}
