import { Refusal } from "../message/refusal.ts";

const RETRY_SECONDS = 5;

/**
 * Waits for a result, but no longer than a deadline.
 *
 * @throws {Refusal} 503 `request_timeout` if the deadline passes first
 */
export async function withDeadline<T>(result: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = "The request took longer than the service allows";
      reject(new Refusal("request_timeout", message, { retryAfterSeconds: RETRY_SECONDS }));
    }, deadlineMs);
  });
  try {
    return await Promise.race([result, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
