import { Refusal } from "./refusal.ts";

const RETRY_SECONDS = 60;

/** 503: what is asked for does not exist yet. */
export function preparing(
  code: "score_snapshot_preparing" | "historical_export_preparing",
  message: string,
  options: { readonly note?: string } = {},
): Refusal {
  return new Refusal(code, message, { ...options, retryAfterSeconds: RETRY_SECONDS });
}
