import { encodeBudgets } from "../../base/contract/http/header.ts";
import type { ErrorCode } from "../../base/contract/http/error_body.ts";
import type { Account } from "./accounts.ts";
import type { HeaderField } from "../message/message.ts";
import { Refusal } from "../message/refusal.ts";
import type { OpenMinute, UsageLedger } from "./usage_ledger.ts";
import { dayEndMs, MINUTE_MS, minuteEndMs, minuteOf, secondsUntil } from "./utc_windows.ts";

const CONCURRENCY_RETRY_SECONDS = 1;

/** Request for admission. */
export interface AdmissionRequest {
  /** Server time, epoch milliseconds. */
  readonly nowMs: number;
  /** True if it is a GET of the historical file, which needs a download allowance too. */
  readonly download: boolean;
}

/** An admitted request, which counts as one of the account's concurrent requests until it is freed. */
export interface AdmittedRequest {
  /** Request allowances spent. */
  readonly requestsSpent: number;
  /** Download allowances spent. */
  readonly downloadsSpent: number;
  /** Spends the download allowance: the file's GET has started (section 4.5). */
  spendDownload(): void;
  /** The budgets after this request, as headers. */
  headers(): readonly HeaderField[];
  /** Ends its concurrency; further calls have no effect. */
  free(): void;
}

/** Admits requests by the budgets and the concurrency of their accounts (section 8). */
export interface Quotas {
  /**
   * Admits a request, or refuses it and spends nothing.
   *
   * @throws {Refusal} 429 with the code of the first exceeded quota
   */
  admit(account: Account, request: AdmissionRequest): AdmittedRequest;
}

interface AccountState {
  window: OpenMinute;
  active: number;
  activeDownloads: number;
}

/** Admits requests by the budgets and the concurrency of their accounts (section 8). */
export class QuotaGate implements Quotas {
  readonly #ledger: UsageLedger;
  readonly #states = new Map<string, AccountState>();

  /** @param ledger Record of spending */
  constructor(ledger: UsageLedger) {
    this.#ledger = ledger;
  }

  /**
   * Admits a request and spends one request allowance, or refuses it and spends nothing.
   *
   * @throws {Refusal} 429 with the code of the first exceeded quota
   */
  admit(account: Account, request: AdmissionRequest): AdmittedRequest {
    const { nowMs, download } = request;
    const state = this.#stateOf(account, nowMs);
    assertAdmissible(account, state, request);
    state.window.spend("requests");
    state.active++;
    if (download) state.activeDownloads++;
    let isFree = false;
    let downloadsSpent = 0;
    // As of admission, not of now: another request may have opened a later minute, or day, since.
    const windowOfAdmission = () =>
      state.window.minute === minuteOf(nowMs) ? state.window : this.#ledger.open(account.id, nowMs);
    return {
      requestsSpent: 1,
      get downloadsSpent() {
        return downloadsSpent;
      },
      headers: () => budgetHeaders(account, windowOfAdmission(), request),
      spendDownload: () => {
        // A handler that exceeded its deadline must not spend a download for an answer that was not sent.
        if (!download || downloadsSpent > 0 || isFree) return;
        downloadsSpent = 1;
        const window = windowOfAdmission();
        window.spend("downloads");
        // The minute in memory has read the day's sum before this request.
        const { minute } = state.window;
        if (window !== state.window) {
          state.window = this.#ledger.open(account.id, minute * MINUTE_MS);
        }
      },
      free: () => {
        if (isFree) return;
        isFree = true;
        state.active--;
        if (download) state.activeDownloads--;
      },
    };
  }

  #stateOf(account: Account, nowMs: number): AccountState {
    const state = this.#states.get(account.id);
    if (state?.window.minute === minuteOf(nowMs)) return state;
    const window = this.#ledger.open(account.id, nowMs);
    const opened = Object.assign(state ?? { active: 0, activeDownloads: 0 }, { window });
    this.#states.set(account.id, opened);
    return opened;
  }
}

function assertAdmissible(account: Account, state: AccountState, request: AdmissionRequest): void {
  const { limits } = account;
  const { usage } = state.window;
  const refuse = (code: ErrorCode, message: string, seconds: number): never => {
    throw new Refusal(code, `${message}; retry in ${seconds} s`, {
      retryAfterSeconds: seconds,
      headers: budgetHeaders(account, state.window, request),
    });
  };
  const untilDay = secondsUntil(dayEndMs, request.nowMs);
  if (state.active >= limits.concurrentRequests) {
    const message = `The account may have ${limits.concurrentRequests} concurrent requests`;
    refuse("concurrent_request_limit", message, CONCURRENCY_RETRY_SECONDS);
  }
  if (request.download && state.activeDownloads >= limits.concurrentDownloads) {
    const message = `The account may have ${limits.concurrentDownloads} concurrent download`;
    refuse("download_limit_exceeded", message, CONCURRENCY_RETRY_SECONDS);
  }
  if (usage.dayRequests >= limits.requestsPerDay) {
    const message = `The account may send ${limits.requestsPerDay} requests per UTC day`;
    refuse("daily_limit_exceeded", message, untilDay);
  }
  if (request.download && usage.dayDownloads >= limits.downloadsPerDay) {
    const message = `The account may start ${limits.downloadsPerDay} downloads per UTC day`;
    refuse("download_limit_exceeded", message, untilDay);
  }
  if (usage.minuteRequests >= limits.requestsPerMinute) {
    const message = `The account may send ${limits.requestsPerMinute} requests per UTC minute`;
    refuse("rate_limit_exceeded", message, secondsUntil(minuteEndMs, request.nowMs));
  }
}

function budgetHeaders(
  account: Account,
  { usage }: OpenMinute,
  request: AdmissionRequest,
): readonly HeaderField[] {
  const { limits } = account;
  const budget = (limit: number, used: number, endOf: (nowMs: number) => number) => {
    const remaining = Math.max(0, limit - used);
    return { limit, remaining, reset: endOf(request.nowMs) / 1000 };
  };
  return encodeBudgets({
    minute: budget(limits.requestsPerMinute, usage.minuteRequests, minuteEndMs),
    day: budget(limits.requestsPerDay, usage.dayRequests, dayEndMs),
    ...(request.download &&
      { download: budget(limits.downloadsPerDay, usage.dayDownloads, dayEndMs) }),
  });
}
