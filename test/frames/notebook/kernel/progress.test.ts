import process from "node:process";
import { describe, expect, test, vi } from "vitest";
import type {
  DisplayMessage,
  KernelMessage,
} from "../../../../src/frames/notebook/kernel/kernel.ts";
import { createProgress } from "../../../../src/frames/notebook/kernel/progress.ts";

describe("createProgress()", () => {
  test.each([["xterm", true], ["dumb", false]])(
    "draws in a terminal %s: %s",
    async (term, isDrawn) => {
      vi.stubEnv("TERM", term);
      const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
      const before = process.stderr.isTTY;
      process.stderr.isTTY = true;
      try {
        const progress = createProgress("panel", { kernel: null, now: () => 0 });
        progress.update({ done: 1, total: 2 });
        await progress.finish("done");
        expect(written.mock.calls.length > 0).toBe(isDrawn);
      } finally {
        process.stderr.isTTY = before;
        written.mockRestore();
        vi.unstubAllEnvs();
      }
    },
  );

  test("updates one display at most five times a second in a notebook", async () => {
    const sent: DisplayMessage[] = [];
    const kernel = {
      broadcast: (message: KernelMessage) =>
        Promise.resolve(void sent.push(message as DisplayMessage)),
    };
    let nowMs = 0;
    const progress = createProgress("panel", { kernel, now: () => nowMs });
    for (let done = 0; done <= 100; done++) {
      progress.update({ done, total: 100 });
      nowMs += 10;
    }
    await progress.finish("3 requests");
    nowMs += 1_000;
    progress.update({ done: 0, total: 100 });
    await progress.finish("again");
    expect(sent.map((message) => message.type)).toEqual([
      "display_data",
      ...Array.from({ length: 6 }, () => "update_display_data"),
    ]);
    expect(new Set(sent.map((message) => message.displayId)).size).toBe(1);
    expect(sent.at(-1)?.data["text/plain"]).toBe(
      "[########################]  panel: 100 · 3 requests",
    );
  });

  test("rewrites one line in a terminal and ends it", async () => {
    let written = "";
    const progress = createProgress("release", {
      kernel: null,
      write: (text) => void (written += text),
    });
    progress.update({ done: 12, total: 24 });
    await progress.finish("verified");
    expect(written).toBe(
      "\r[############------------]  release: 12 of 24" +
        "\r[############------------]  release: 12 of 24 · verified\n",
    );
  });

  test("counts with commas between thousands", async () => {
    let written = "";
    const write = (text: string) => void (written += text);
    const progress = createProgress("world", { kernel: null, write });
    progress.update({ done: 1_128, total: 9_024 });
    await progress.finish();
    expect(written).toContain("world: 1,128 of 9,024");
  });

  test("counts bytes as kB and MB, and escapes what it shows", async () => {
    const sent: DisplayMessage[] = [];
    const kernel = {
      broadcast: (message: KernelMessage) =>
        Promise.resolve(void sent.push(message as DisplayMessage)),
    };
    const progress = createProgress("<b>", { kernel, unit: "bytes" });
    progress.update({ done: 183_426, total: 56_234_567 });
    await progress.finish();
    expect(sent[0]?.data["text/plain"]).toBe("[------------------------]  <b>: 183 kB of 56.2 MB");
    expect(sent[0]?.data["text/html"]).toBe(
      '<progress value="183426" max="56234567" style="vertical-align:middle"></progress> ' +
        "<small>&lt;b&gt;: 183 kB of 56.2 MB</small>",
    );
  });

  test("shows nothing without a notebook and a terminal, and nothing when it is switched off", async () => {
    let written = "";
    const write = (text: string) => void (written += text);
    for (
      const options of [{ kernel: null, write: null }, { kernel: null, write, enabled: false }]
    ) {
      const progress = createProgress("x", options);
      progress.update({ done: 1, total: null });
      await progress.finish();
    }
    expect(written).toBe("");
  });

  test("never throws when the kernel is gone", async () => {
    const kernel = { broadcast: () => Promise.reject(new Error("closed")) };
    const progress = createProgress("x", { kernel });
    progress.update({ done: 1, total: 2 });
    await expect(progress.finish()).resolves.toBeUndefined();
  });

  test.each([80, 40, 12])(
    "stays on one line of a terminal of %d characters, and leaves none behind",
    async (columns) => {
      let written = "";
      const write = (text: string) => void (written += text);
      let nowMs = 0;
      const label = "Building the synthetic world";
      const options = { kernel: null, write, columns: () => columns, now: () => nowMs += 200 };
      const progress = createProgress(label, options);
      for (let done = 0; done <= 15; done++) {
        progress.update({ done, total: 15, note: "prices, calls, scores and checks of 2026-11" });
      }
      await progress.finish();
      expect(written).not.toContain("\n");
      const lines = written.split("\r").slice(1, -1);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(columns);
      expect(lines[0]).toMatch(/^Bu/);
      expect(lines.at(-1)!.trim()).toBe("");
    },
  );

  test("takes a finished bar without a note away in a notebook, too", async () => {
    const sent: DisplayMessage[] = [];
    const kernel = {
      broadcast: (message: KernelMessage) =>
        Promise.resolve(void sent.push(message as DisplayMessage)),
    };
    const progress = createProgress("Analysing", { kernel, unit: "share" });
    progress.update({ done: 0.5, total: 1, note: "lags" });
    await progress.finish();
    expect(sent.map(({ type, data }) => [type, data["text/html"] === ""])).toEqual([
      ["display_data", false],
      ["update_display_data", true],
    ]);
    const unseen = createProgress("Analysing", { kernel });
    await unseen.finish();
    expect(sent).toHaveLength(2);
  });

  test("leaves nothing of a longer line behind a shorter one", async () => {
    let written = "";
    const progress = createProgress("release", {
      kernel: null,
      write: (text) => void (written += text),
    });
    progress.update({ done: 12, total: 24 });
    progress.update({ done: 24, total: 24 });
    await progress.finish("ok");
    expect(written.split("\r").slice(1)).toEqual([
      "[############------------]  release: 12 of 24",
      "[########################]  release: 24 · ok \n",
    ]);
  });

  test.each([
    [{ done: 30, total: 24 }, "[########################]  x: 30 of 24"],
    [{ done: -1, total: 24 }, "[------------------------]  x: -1 of 24"],
    [{ done: 0, total: 0 }, "x: 0"],
    [{ done: 7, total: null }, "x: 7"],
  ])("takes amounts that make no share, %j", async (state, line) => {
    let written = "";
    const progress = createProgress("x", { kernel: null, write: (text) => void (written += text) });
    progress.update(state);
    await progress.finish("end");
    expect(written).toBe(`\r${line}\r${line} · end\n`);
  });

  test("counts a million bytes as a megabyte", async () => {
    let written = "";
    const write = (text: string) => void (written += text);
    const progress = createProgress("file", { kernel: null, write, unit: "bytes" });
    progress.update({ done: 1_000_000, total: null });
    await progress.finish("verified");
    expect(written).toContain("\rfile: 1.0 MB · verified\n");
  });

  test("is off where the environment says so", async () => {
    vi.stubEnv("SCOREFRAME_PROGRESS", "off");
    let written = "";
    const write = (text: string) => void (written += text);
    const progress = createProgress("file", { kernel: null, write });
    vi.unstubAllEnvs();
    progress.update({ done: 1, total: 2 });
    await progress.finish();
    expect(written).toBe("");
  });
});
