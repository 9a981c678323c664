import { describe, expect, test } from "vitest";
import { askKey } from "../../../../src/frames/notebook/ask_key.ts";
import { watchInterrupt } from "../../../../src/frames/notebook/kernel/interrupt.ts";

describe("watchInterrupt()", () => {
  test("aborts what is in flight, and starts afresh for the next load", () => {
    let press = () => {};
    const interrupt = watchInterrupt({
      listen: (listener) => {
        press = listener;
        return () => {};
      },
    });
    const first = interrupt.signal;
    press();
    expect(first.aborted).toBe(true);
    expect(first.reason).toMatchObject({ name: "AbortError" });
    expect(interrupt.signal.aborted).toBe(false);
    press();
    expect(interrupt.signal.aborted).toBe(false);
  });

  test("stops listening", () => {
    let listening = true;
    watchInterrupt({ listen: () => () => void (listening = false) }).dispose();
    expect(listening).toBe(false);
  });

  test("listens to nothing outside a notebook", () => {
    const interrupt = watchInterrupt();
    expect(interrupt.signal.aborted).toBe(false);
    interrupt.dispose();
  });
});

describe("askKey()", () => {
  test("cuts blanks off, and gives null when nothing was typed or nobody can be asked", () => {
    expect(askKey("API key", { ask: () => "  svc_test_0000 \n" })).toBe("svc_test_0000");
    expect(askKey("API key", { ask: () => "   " })).toBeNull();
    expect(askKey("API key", { ask: () => null })).toBeNull();
  });
});
