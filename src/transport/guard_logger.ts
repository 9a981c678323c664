import type { Logger } from "./event_log.ts";

/** A caller's logger that cannot fail a load: what it throws, or rejects later, is of no interest to the load. */
export function guardLogger(logger: Logger): Logger {
  const guard = (say: (message: string) => unknown) => (message: string) => {
    try {
      Promise.resolve(say(message)).catch(() => {});
    } catch {
      // A log that cannot be written is no reason to lose what was loaded.
    }
  };
  return {
    debug: guard((message) => logger.debug(message)),
    warn: guard((message) => logger.warn(message)),
  };
}
