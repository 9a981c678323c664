import { encodeBudget } from "../../base/contract/http/header.ts";
import type { ErrorCode } from "../../base/contract/http/error_code.ts";
import type { Account } from "./accounts.ts";
import type { HeaderField } from "../message/message.ts";
import type { AdmissionRequest, AdmittedRequest, Quotas } from "./quotas.ts";
import { Refusal } from "../message/refusal.ts";
import type { OpenMinute, UsageLedger } from "./usage_ledger.ts";
import { dayEndMs, minuteEndMs, minuteOf, minuteStartMs } from "./utc_windows.ts";

const CONCURRENCY_RETRY_SECONDS = 1;

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
    const state = this.#stateOf(account, request.nowMs);
    assertAdmissible(account, state, request);
    state.window.spend("requests");
    return new CountedAdmission({ account, state, ledger: this.#ledger }, request);
  }

  #stateOf(account: Account, nowMs: number): AccountState {
    const state = this.#states.get(account.id);
    if (state?.window.minute === minuteOf(nowMs)) return state;
    const window = this.#ledger.open(account.id, nowMs);
    if (state === undefined) {
      const fresh = { window, active: 0, activeDownloads: 0 };
      this.#states.set(account.id, fresh);
      return fresh;
    }
    state.window = window;
    return state;
  }
}

/** An admitted request, which has spent one request allowance. */
class CountedAdmission implements AdmittedRequest {
  readonly requestsSpent = 1;
  readonly #account: Account;
  readonly #state: AccountState;
  readonly #ledger: UsageLedger;
  readonly #request: AdmissionRequest;
  #isFree = false;
  #downloadSpent = false;

  constructor(
    { account, state, ledger }: {
      readonly account: Account;
      readonly state: AccountState;
      readonly ledger: UsageLedger;
    },
    request: AdmissionRequest,
  ) {
    this.#account = account;
    this.#state = state;
    this.#ledger = ledger;
    this.#request = request;
    state.active++;
    if (request.download) state.activeDownloads++;
  }

  // As of admission, not of now.
  spendDownload(): void {
    // A handler that exceeded its deadline must not spend a download for an answer that was not sent.
    if (!this.#request.download || this.#downloadSpent || this.#isFree) return;
    this.#downloadSpent = true;
    const window = this.#window();
    window.spend("downloads");
    // The minute in memory has read the day's sum before this request.
    const current = this.#state.window;
    if (window !== current) {
      this.#state.window = this.#ledger.open(this.#account.id, minuteStartMs(current.minute));
    }
  }

  get downloadsSpent(): number {
    return this.#downloadSpent ? 1 : 0;
  }

  headers(): readonly HeaderField[] {
    return budgetHeaders(this.#account, this.#window(), this.#request);
  }

  // Another request may have opened a later minute, or day, since.
  #window(): OpenMinute {
    const { nowMs } = this.#request;
    const { window } = this.#state;
    return window.minute === minuteOf(nowMs) ? window : this.#ledger.open(this.#account.id, nowMs);
  }

  free(): void {
    if (this.#isFree) return;
    this.#isFree = true;
    this.#state.active--;
    if (this.#request.download) this.#state.activeDownloads--;
  }
}

function assertAdmissible(
  account: Account,
  state: AccountState,
  request: AdmissionRequest,
): void {
  const { limits } = account;
  const { usage } = state.window;
  const refuse = (code: ErrorCode, message: string, seconds: number): never => {
    throw new Refusal(code, `${message}; retry in ${seconds} s`, {
      retryAfterSeconds: seconds,
      headers: budgetHeaders(account, state.window, request),
    });
  };
  const untilMinute = secondsUntil(minuteEndMs(request.nowMs), request.nowMs);
  const untilDay = secondsUntil(dayEndMs(request.nowMs), request.nowMs);
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
    refuse("rate_limit_exceeded", message, untilMinute);
  }
}

function budgetHeaders(
  account: Account,
  { usage }: OpenMinute,
  request: AdmissionRequest,
): readonly HeaderField[] {
  const { limits } = account;
  const budget = (limit: number, used: number, resetMs: number) => ({
    limit,
    remaining: Math.max(0, limit - used),
    reset: resetMs / 1000,
  });
  const minuteEnd = minuteEndMs(request.nowMs);
  const dayEnd = dayEndMs(request.nowMs);
  return [
    ...encodeBudget("minute", budget(limits.requestsPerMinute, usage.minuteRequests, minuteEnd)),
    ...encodeBudget("day", budget(limits.requestsPerDay, usage.dayRequests, dayEnd)),
    ...(request.download
      ? encodeBudget("download", budget(limits.downloadsPerDay, usage.dayDownloads, dayEnd))
      : []),
  ];
}

function secondsUntil(thenMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((thenMs - nowMs) / 1000));
}
