import { describe, expect, test } from "vitest";
import { FACTORS, FILE, file, NOW, ok, refusal, start } from "./_exchange.ts";

describe("a refused download", () => {
  const running = {
    "Retry-After": "1",
    "X-DownloadLimit-Limit": "10",
    "X-DownloadLimit-Reset": "1795219200",
  };

  test("is waited for while another one runs, beyond maxRetries, because that spends nothing", async () => {
    let refusals = 4;
    const { exchange, clock } = start(() =>
      refusals-- > 0
        ? refusal(429, "download_limit_exceeded", { ...running, "X-DownloadLimit-Remaining": "8" })
        : file()
    );
    const answer = await exchange.open(FILE);
    expect(answer!.attempts).toBe(5);
    expect(clock.ms - NOW).toBe(1_000 + 1_000 + 2_000 + 4_000);
    await answer!.close();
  });

  test("is not waited for when none is left today", async () => {
    let requests = 0;
    const { exchange } = start(() => {
      requests++;
      return refusal(429, "download_limit_exceeded", {
        ...running,
        "X-DownloadLimit-Remaining": "0",
      });
    });
    await expect(exchange.open(FILE)).rejects.toMatchObject({ name: "WaitError" });
    expect(requests).toBe(1);
  });
});

describe("a closed exchange", () => {
  test("says so, and sends nothing", async () => {
    let requests = 0;
    const { exchange } = start(() => {
      requests++;
      return ok();
    });
    await exchange.close();
    await expect(exchange.send(FACTORS)).rejects.toThrow(
      "Cannot list the factors: the connection was closed, nothing was sent; connect() again",
    );
    expect(requests).toBe(0);
  });
});
