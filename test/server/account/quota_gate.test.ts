import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Account, AccountLimits } from "../../../src/server/account/accounts.ts";
import { QuotaGate } from "../../../src/server/account/quota_gate.ts";
import { Refusal } from "../../../src/server/message/refusal.ts";
import { UsageLedger } from "../../../src/server/account/usage_ledger.ts";

const ms = (time: string) => Date.parse(`2026-11-20T${time}Z`);

function account(limits: Partial<AccountLimits> = {}): Account {
  const all = {
    requestsPerMinute: 120,
    requestsPerDay: 10_000,
    concurrentRequests: 5,
    downloadsPerDay: 10,
    concurrentDownloads: 1,
    ...limits,
  };
  return { id: "desk", limits: all, licences: [], keys: [] };
}

let ledger: UsageLedger;
let gate: QuotaGate;
beforeEach(() => {
  ledger = new UsageLedger(null);
  gate = new QuotaGate(ledger);
});
afterEach(() => ledger.close());

/** Code and wait of the refusal, or null if the request is admitted. */
function refusalOf(
  asked: Account,
  nowMs: number,
  download = false,
): readonly [string, number | undefined] | null {
  try {
    gate.admit(asked, { nowMs, download }).free();
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.code, error.options.retryAfterSeconds];
  }
}

describe("QuotaGate", () => {
  test("asks to wait until the budget that is spent is full again", () => {
    const spent = account({ requestsPerDay: 1, requestsPerMinute: 1, downloadsPerDay: 0 });
    expect(refusalOf(spent, ms("22:30:30"))).toBeNull();
    expect(refusalOf(spent, ms("22:30:30"))).toEqual(["daily_limit_exceeded", 5_370]);
    expect(refusalOf(account({ requestsPerMinute: 1 }), ms("22:30:30")))
      .toEqual(["rate_limit_exceeded", 30]);
    expect(refusalOf(account({ downloadsPerDay: 0 }), ms("22:30:30"), true))
      .toEqual(["download_limit_exceeded", 5_370]);
  });

  test("counts the first minute of a UTC day and the last one to that day", () => {
    const two = account({ requestsPerDay: 2 });
    expect(refusalOf(two, ms("00:00:00"))).toBeNull();
    expect(refusalOf(two, ms("23:59:59.999"))).toBeNull();
    expect(refusalOf(two, ms("12:00:00"))).toEqual(["daily_limit_exceeded", 43_200]);
    expect(refusalOf(two, ms("23:59:59.999") + 1)).toBeNull();
    expect(refusalOf(two, ms("00:00:00") - 1)).toBeNull();
  });

  test("lets five requests of an account run at once, and gives each place back once", () => {
    const nowMs = ms("15:00:00");
    const running = Array.from(
      { length: 5 },
      () => gate.admit(account(), { nowMs, download: false }),
    );
    expect(refusalOf(account(), nowMs)).toEqual(["concurrent_request_limit", 1]);
    running[0]!.free();
    running[0]!.free();
    gate.admit(account(), { nowMs, download: false });
    expect(refusalOf(account(), nowMs)).toEqual(["concurrent_request_limit", 1]);
  });

  test("lets one download run at once, beside other requests, and gives its place back once", () => {
    const nowMs = ms("15:00:00");
    const running = gate.admit(account(), { nowMs, download: true });
    expect(refusalOf(account(), nowMs, true)).toEqual(["download_limit_exceeded", 1]);
    expect(refusalOf(account(), nowMs)).toBeNull();
    running.free();
    running.free();
    gate.admit(account(), { nowMs, download: true });
    expect(refusalOf(account(), nowMs, true)).toEqual(["download_limit_exceeded", 1]);
  });

  test("spends nothing for a refusal", () => {
    const one = account({ requestsPerMinute: 1 });
    for (let i = 0; i < 3; i++) refusalOf(one, ms("15:00:00"));
    const admission = gate.admit(account(), { nowMs: ms("15:00:00"), download: false });
    expect(admission.headers()).toContainEqual(["X-RateLimit-Remaining", "118"]);
  });

  test("has at least 0 left, even where the limit was lowered", () => {
    for (let i = 0; i < 3; i++) refusalOf(account(), ms("15:00:00"));
    const refusal = (() => {
      try {
        return gate.admit(account({ requestsPerMinute: 1 }), {
          nowMs: ms("15:00:00"),
          download: false,
        });
      } catch (error) {
        return error as Refusal;
      }
    })();
    expect((refusal as Refusal).options.headers).toContainEqual(["X-RateLimit-Remaining", "0"]);
  });

  test("spends a download once for an admission, and only for one of a file", () => {
    const file = gate.admit(account(), { nowMs: ms("15:00:00"), download: true });
    file.spendDownload();
    file.spendDownload();
    expect(file.headers()).toContainEqual(["X-DownloadLimit-Remaining", "9"]);
    const other = gate.admit(account(), { nowMs: ms("15:00:00"), download: false });
    other.spendDownload();
    expect(other.downloadsSpent).toBe(0);
    expect(file.headers()).toContainEqual(["X-DownloadLimit-Remaining", "9"]);
  });

  // @silent 8 server/account/quota_gate.ts: A download counts on the UTC day of its admission
  test("counts a download on the day of its admission", () => {
    const before = gate.admit(account(), { nowMs: ms("23:59:59"), download: true });
    const after = gate.admit(account(), { nowMs: ms("23:59:59") + 2_000, download: false });
    before.spendDownload();
    expect(before.headers()).toContainEqual(["X-DownloadLimit-Remaining", "9"]);
    before.free();
    const next = gate.admit(account(), { nowMs: ms("23:59:59") + 3_000, download: true });
    expect(next.headers()).toContainEqual(["X-DownloadLimit-Remaining", "10"]);
    next.free();
    after.free();
    const again = gate.admit(account(), { nowMs: ms("23:59:59"), download: true });
    expect(again.headers()).toContainEqual(["X-DownloadLimit-Remaining", "9"]);
  });

  test("counts a download that is spent in a later minute of its day for that day", () => {
    const one = account({ downloadsPerDay: 1, concurrentDownloads: 5 });
    const early = gate.admit(one, { nowMs: ms("15:00:59"), download: true });
    gate.admit(one, { nowMs: ms("15:01:01"), download: false }).free();
    early.spendDownload();
    expect(refusalOf(one, ms("15:01:02"), true)).toEqual(["download_limit_exceeded", 32_338]);
  });

  test("counts in the earlier minute again when the clock moves back", () => {
    const one = account({ requestsPerMinute: 1 });
    expect(refusalOf(one, ms("15:01:00"))).toBeNull();
    expect(refusalOf(one, ms("15:00:00"))).toBeNull();
    expect(refusalOf(one, ms("15:00:30"))).toEqual(["rate_limit_exceeded", 30]);
    expect(refusalOf(one, ms("15:01:00"))).toEqual(["rate_limit_exceeded", 60]);
  });

  test("spends no download for an answer that was given up before its file started", () => {
    const givenUp = gate.admit(account(), { nowMs: ms("15:00:00"), download: true });
    givenUp.free();
    givenUp.spendDownload();
    expect(givenUp.downloadsSpent).toBe(0);
    expect(givenUp.headers()).toContainEqual(["X-DownloadLimit-Remaining", "10"]);
  });
});
