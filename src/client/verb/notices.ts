import type { Check } from "../../contract/scores/check.ts";
import { instantOf } from "../../contract/instant.ts";
import { listText } from "../../arguments/list_text.ts";
import { describe } from "../../contract/violation.ts";
import { isKnownStatus } from "../../contract/scores/status.ts";
import { type Notice, sayNotice } from "../../notebook/kernel/say_notice.ts";
import type { Credential } from "../../transport/wire/credential.ts";
import type { Logger } from "../../transport/event_log.ts";
import type { LongWait } from "../../transport/long_wait.ts";

/** The fields beyond the API document that this library knows: marks of an embedded server. */
const KNOWN_EXTRA: readonly string[] = ["synthetic"];

/** Says what is unusual, though the API document allows it: each thing once. */
export class Notices {
  readonly #said = new Set<string>();
  readonly #say: (message: string) => Notice | null;

  /**
   * @param credential Key that no notice may show
   * @param logger Hears the notices; without one a notebook shows them, and elsewhere they are process warnings
   */
  constructor(credential: Pick<Credential, "redact">, logger?: Logger) {
    this.#say = (message) => {
      const text = credential.redact(message);
      if (logger === undefined) return sayNotice(text);
      logger.warn(text);
      return null;
    };
  }

  /** Says something, unless it was said before, and gives the notice if it was said now and can be replaced. */
  once(message: string): Notice | null {
    if (this.#said.has(message)) return null;
    this.#said.add(message);
    return this.#say(message);
  }

  /**
   * Says until when something waits, or since when, and why; requests that wait for the same say it once.
   *
   * @returns Says that the wait is over, in place of the notice
   */
  aboutWait({ untilMs, sinceMs = 0, because }: LongWait): () => void {
    const bound = untilMs === null
      ? `since ${wholeSecond(Math.floor(sinceMs / 1000))}`
      : `until ${wholeSecond(Math.ceil(untilMs / 1000))}`;
    const notice = this.once(`Waiting ${bound}: ${because}; maxWaitMs bounds such waits`);
    return () => notice?.replace(`Waited ${bound}: ${because}`);
  }

  /** Says what an accepted check has beyond the API document. */
  aboutCheck(check: Check): void {
    if (!isKnownStatus(check.status)) {
      this.once(
        `The service sent the status ${
          describe(check.status)
        }, which the API document does not define; ` +
          "it is kept, and counts as not current",
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
