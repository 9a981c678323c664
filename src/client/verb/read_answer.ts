import { Buffer, isAscii } from "node:buffer";
import { parseJson } from "../../base/contract/json_text.ts";
import { ContractViolation } from "../../base/contract/violation.ts";
import { ContractError } from "../../base/errors.ts";
import type { Answer } from "../transport/exchange.ts";

/** Context for an error about an unreadable answer. */
export interface ReadContext {
  /** The answer. */
  readonly answer: Pick<Answer, "requestId">;
  /** Action, worded to follow "Cannot". */
  readonly action: string;
  /** Removes keys from a text: a hostile answer may echo the request. */
  readonly redact: (text: string) => string;
}

/**
 * Reads an answer with a parser of the contract.
 *
 * @param read Parses and checks; a violation that it throws becomes the error
 * @throws {ContractError} If the answer breaks the API document
 */
export function readAnswer<Result>(context: ReadContext, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ContractViolation)) throw error;
    const { answer, action, redact } = context;
    const { path, required, received } = error;
    const request = answer.requestId === null ? "" : `; request ${answer.requestId}`;
    throw new ContractError(
      redact(
        `Cannot ${action}: expected ${path} to be ${required}, got ${received}; nothing was kept${request}`,
      ),
    );
  }
}

/**
 * Text of a body.
 *
 * @throws {ContractViolation} If it is not UTF-8
 */
export function bodyText(answer: Pick<Answer, "body">): string {
  const { body } = answer;
  // Most bodies are ASCII, which decodes ten times faster as Latin-1 than as UTF-8.
  if (isAscii(body)) {
    return Buffer.from(body.buffer, body.byteOffset, body.length).toString("latin1");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new ContractViolation("the body", "UTF-8 text", `${body.length} other bytes`);
  }
}

/**
 * Value of a JSON body.
 *
 * @throws {ContractViolation} If it is not JSON, or a name repeats in an object
 */
export function bodyJson(answer: Pick<Answer, "body">): unknown {
  return parseJson(bodyText(answer));
}
