import process from "node:process";
import { describe, expect, test, vi } from "vitest";
import type {
  DisplayMessage,
  KernelMessage,
} from "../../../../src/frames/notebook/kernel/kernel.ts";
import { sayNotice } from "../../../../src/frames/notebook/kernel/say_notice.ts";

describe("sayNotice()", () => {
  test("shows the text under the cell of a notebook, as text and never as markup", () => {
    const sent: KernelMessage[] = [];
    const broadcast = (message: KernelMessage) => Promise.resolve(void sent.push(message));
    const emit = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    sayNotice("Waiting <b>", { kernel: { broadcast } });
    expect(sent).toEqual([{
      type: "display_data",
      displayId: expect.any(String),
      data: { "text/html": "<small>Waiting &lt;b&gt;</small>", "text/plain": "Waiting <b>" },
    }]);
    expect(emit).not.toHaveBeenCalled();
    emit.mockRestore();
  });

  test("replaces the text where it is shown", () => {
    const sent: DisplayMessage[] = [];
    const broadcast = (message: KernelMessage) =>
      Promise.resolve(void sent.push(message as DisplayMessage));
    sayNotice("Waiting", { kernel: { broadcast } }).replace("Waited");
    expect(sent.map(({ type, data }) => [type, data["text/plain"]])).toEqual([
      ["display_data", "Waiting"],
      ["update_display_data", "Waited"],
    ]);
    expect(sent[0]?.displayId).toBe(sent[1]?.displayId);
  });

  test("is a warning of the process outside a notebook", () => {
    const emit = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    sayNotice("Waiting");
    expect(emit.mock.calls).toEqual([["Waiting", "ScoreframeNotice"]]);
    emit.mockRestore();
  });

  test("does not fail with a kernel that is gone", async () => {
    const broadcast = () => Promise.reject(new Error("gone"));
    sayNotice("Waiting", { kernel: { broadcast } });
    await new Promise((resolve) => setTimeout(resolve, 0));
  });
});
