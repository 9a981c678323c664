import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Deadline } from "../../../../src/client/transport/call/deadline.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;

describe("a deadline", () => {
  test("is over after its time, and not before", () => {
    const deadline = new Deadline(1_000, never);
    vi.advanceTimersByTime(999);
    expect([deadline.isOver, deadline.signal.aborted]).toEqual([false, false]);
    vi.advanceTimersByTime(1);
    expect([deadline.isOver, deadline.signal.aborted]).toEqual([true, true]);
  });

  test("that is begun again has its whole time, or another one", () => {
    const deadline = new Deadline(1_000, never);
    vi.advanceTimersByTime(900);
    deadline.restart();
    vi.advanceTimersByTime(999);
    expect(deadline.isOver).toBe(false);
    deadline.restart(5_000);
    vi.advanceTimersByTime(4_999);
    expect(deadline.isOver).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.isOver).toBe(true);
  });

  test("that was stopped is not over, holds no timer, and cannot be begun again", () => {
    const deadline = new Deadline(1_000, never);
    deadline.stop();
    deadline.restart();
    expect(vi.getTimerCount()).toBe(0);
    expect([deadline.isOver, deadline.signal.aborted]).toEqual([false, true]);
  });

  test("is not what ended an attempt that the outer signal ended", () => {
    const outer = new AbortController();
    const deadline = new Deadline(1_000, outer.signal);
    outer.abort("the caller");
    vi.advanceTimersByTime(2_000);
    expect(deadline.isOver).toBe(false);
    expect(deadline.signal.reason).toBe("the caller");
  });

  test("ends with each of its outer signals, even with one that has ended already", () => {
    const second = new AbortController();
    const deadline = new Deadline(1_000, never, second.signal);
    second.abort("the second");
    expect(deadline.signal.reason).toBe("the second");
    expect(new Deadline(1_000, never, second.signal).signal.reason).toBe("the second");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("that was stopped leaves nothing in its outer signal", () => {
    const outer = new AbortController();
    const remove = vi.spyOn(outer.signal, "removeEventListener");
    const add = vi.spyOn(outer.signal, "addEventListener");
    new Deadline(1_000, outer.signal).stop();
    expect(remove.mock.calls.map(([, listener]) => listener)).toEqual(
      add.mock.calls.map(([, listener]) => listener),
    );
  });

  test.each([Infinity, 99_999_999_999])("of %d ms is not over at once", (timeoutMs) => {
    const deadline = new Deadline(timeoutMs, never);
    vi.advanceTimersByTime(86_400_000);
    expect(deadline.isOver).toBe(false);
    deadline.stop();
  });
});
