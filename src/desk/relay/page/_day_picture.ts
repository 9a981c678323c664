import { groupThousands } from "../../../base/wording/group_thousands.ts";
import type { DaySlice } from "./relay_status.ts";

const WIDTH = 360;
const HEIGHT = 150;
const LEFT = 36;
const TOP = 26;
const BOTTOM = 20;
const SPANS = 240;
const SPAN_MINUTES = 6;

/** Answers to users, and requests to the service in front of them, through the UTC day. */
export function dayPicture(spans: readonly DaySlice[]): string {
  const most = Math.max(1, ...spans.map(({ answered, requests }) => Math.max(answered, requests)));
  const floor = HEIGHT - BOTTOM;
  const width = (WIDTH - LEFT) / SPANS;
  const bar = (kind: string, { minute }: DaySlice, count: number) => {
    const height = (count / most) * (floor - TOP);
    const x = LEFT + (minute / SPAN_MINUTES) * width;
    return `<rect class="${kind}" x="${x.toFixed(2)}" y="${(floor - height).toFixed(2)}" ` +
      `width="${width.toFixed(2)}" height="${height.toFixed(2)}"/>`;
  };
  const hours = [0, 6, 12, 18, 24].map((hour) => {
    const x = LEFT + (hour / 24) * (WIDTH - LEFT);
    const anchor = hour === 24 ? "end" : hour === 0 ? "start" : "middle";
    return `<text x="${x}" y="${HEIGHT - 4}" text-anchor="${anchor}">${
      String(hour).padStart(2, "0")
    }:00</text>`;
  });
  const label =
    "Answers to users and requests to the service in each tenth of an hour of the UTC day";
  return [
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">`,
    `<rect class="answered" x="${LEFT}" y="4" width="10" height="10"/>`,
    `<text x="${LEFT + 15}" y="13">answers to users</text>`,
    `<rect class="asked" x="${LEFT + 125}" y="4" width="10" height="10"/>`,
    `<text x="${LEFT + 140}" y="13">requests to the service</text>`,
    `<line class="axis" x1="${LEFT}" x2="${WIDTH}" y1="${floor}" y2="${floor}"/>`,
    `<line class="axis" x1="${LEFT}" x2="${WIDTH}" y1="${TOP}" y2="${TOP}"/>`,
    `<text x="${LEFT - 6}" y="${TOP + 4}" text-anchor="end">${groupThousands(most)}</text>`,
    `<text x="${LEFT - 6}" y="${floor}" text-anchor="end">0</text>`,
    ...spans.map((span) => bar("answered", span, span.answered)),
    ...spans.map((span) => bar("asked", span, span.requests)),
    ...hours,
    "</svg>",
  ].join("");
}
