import { describe, expect, test } from "vitest";
import { endlessBody, FACTORS, FILE, file, soon, start } from "../_exchange.ts";

describe("a body that nobody reads", () => {
  test("is let go when the answer is not the API's", async () => {
    const { body, seen } = endlessBody();
    const page = new Response(body, { headers: { "Content-Type": "text/html" } });
    const { exchange } = start(() => page);
    await expect(exchange.send(FACTORS)).rejects.toThrow("got text/html");
    await soon();
    expect(seen.isCancelled).toBe(true);
  });

  test("is let go when a stream is closed before it is read", async () => {
    const { body, seen } = endlessBody();
    const { exchange } = start(() => file(body));
    const answer = await exchange.open(FILE);
    await answer!.close();
    await soon();
    expect(seen.isCancelled).toBe(true);
  });

  test("is let go when the connection is closed", async () => {
    const { body, seen } = endlessBody();
    const { exchange, ledger } = start(() => file(body));
    await exchange.open(FILE);
    await exchange.close();
    await soon();
    expect(seen.isCancelled).toBe(true);
    expect(ledger.read().flights).toEqual([]);
  });
});
