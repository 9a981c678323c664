import { expect, test } from "vitest";
import { heldOutText } from "../../../../src/base/wording/sentences/held_out_text.ts";

test.each([
  [78, 0, false, "78 sessions held out (from 2026-08-03 on)"],
  [1, 1, false, "1 session held out (from 2026-08-03 on)"],
  [0, 0, false, "Sessions from 2026-08-03 on are held out; none has closed by the study's time"],
  [212, 2, false, "212 sessions held out (from 2026-08-03 on). The hold-out was looked at twice"],
  [212, 1, true, "The hold-out was looked at once (sessions from 2026-08-03 on)"],
  [212, 5, true, "The hold-out was looked at 5 times (sessions from 2026-08-03 on)"],
])("a hold-out of %d sessions, %d looks, open: %s", (sessions, looks, isOpen, text) => {
  expect(heldOutText({ from: "2026-08-03", sessions, looks, isOpen })).toBe(text);
});
