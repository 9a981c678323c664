import type { Check } from "../../base/contract/scores/check.ts";
import { instantOf } from "../../base/contract/instant.ts";
import { listText } from "../../base/arguments/list_text.ts";
import { describe } from "../../base/contract/violation.ts";
import { isKnownStatus } from "../../base/contract/scores/status.ts";
import { type Notice, sayNotice } from "../../frames/notebook/kernel/say_notice.ts";
import type { Credential } from "../transport/wire/credential.ts";
import type { Logger } from "../transport/event_log.ts";
import type { LongWait } from "../transport/long_wait.ts";

/** The fields beyond the API document that this library knows: marks of an embedded server. */
const KNOWN_EXTRA: readonly string[] = ["synthetic"];

/** Shows notices about unusual answers that the API document allows, each one once. */
export class Notices {
  readonly #said = new Set<string>();
  readonly #say: (message: string) => Notice | null;

  /**
   * @param credential Key that must not appear in a notice
   * @param logger Receives the notices; without one a notebook shows them, and elsewhere they are process warnings
   */
  constructor(credential: Pick<Credential, "redact">, logger?: Logger) {
    this.#say = (message) => {
      const text = credential.redact(message);
      if (logger === undefined) return sayNotice(text);
      logger.warn(text);
      return null;
    };
  }

  /** Shows a notice, unless it was shown before; returns it if it can be replaced. */
  once(message: string): Notice | null {
    if (this.#said.has(message)) return null;
    this.#said.add(message);
    return this.#say(message);
  }

  /**
   * Shows a notice about a wait, its end or start, and its reason; shown once for requests that wait for the same.
   *
   * @returns Replaces the notice when the wait is over
   */
  aboutWait({ untilMs, sinceMs = 0, because }: LongWait): () => void {
    const bound = untilMs === null
      ? `since ${wholeSecond(Math.floor(sinceMs / 1000))}`
      : `until ${wholeSecond(Math.ceil(untilMs / 1000))}`;
    const notice = this.once(`Waiting ${bound}: ${because}; maxWaitMs bounds such waits`);
    return () => notice?.replace(`Waited ${bound}: ${because}`);
  }

  /** Shows a notice about fields and statuses of a check that the API document does not define. */
  aboutCheck(check: Check): void {
    if (!isKnownStatus(check.status)) {
      this.once(
        `The service sent the status ${describe(check.status)}, which the API document does not ` +
          "define; it is kept, and counts as not current",
      );
    }
    const extra = Object.keys({ ...check.extra, ...check.coverage.extra })
      .filter((name) => !KNOWN_EXTRA.includes(name));
    if (extra.length > 0) {
      this.once(
        `The service sent fields that the API document does not define: ${listText(extra)}; ` +
          "they are kept in the store",
      );
    }
  }
}

function wholeSecond(seconds: number): string {
  return instantOf(seconds * 1000).replace(".000Z", "Z");
}
