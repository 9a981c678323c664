import { escapeHtml } from "../../../frames/notebook/html.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { countText, sizeText } from "../../../base/wording/number_text.ts";
import type { RelayStatus } from "./relay_status.ts";

const STYLE = `
:root{color-scheme:light dark;--ink:#1a1f24;--quiet:#5a6572;--paper:#fff;--line:#d7dde3;--warn:#8a4b00;--warn-paper:#fff3e0}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ec;--quiet:#9aa5b1;--paper:#14181c;--line:#333b44;--warn:#ffcf8f;--warn-paper:#3a2a10}}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.4 system-ui,sans-serif}
main{max-width:860px;margin:0 auto;padding:16px}
h1{font-size:1.3rem;margin:0;overflow-wrap:anywhere}h2{font-size:1.05rem;margin:1.4rem 0 .3rem}
p{margin:.3rem 0;overflow-wrap:anywhere}.quiet,th,caption{color:var(--quiet)}
.warning{color:var(--warn);background:var(--warn-paper);padding:.5rem .8rem;border-radius:4px}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:right;padding:.2rem 0 .2rem .8rem;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:500}td+td{white-space:nowrap}th:first-child,td:first-child{text-align:left;padding-left:0;overflow-wrap:anywhere}
ul{list-style:none;margin:0;padding:0}li{padding:.3rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
@media(max-width:600px){body{font-size:13px}main{padding:10px}th,td{padding-left:.45rem}}
`.replaceAll("\n", "");

// The twenty of /relay.json would be half of the page.
const SHOWN_REFUSALS = 5;

/** The status of a relay as a page without scripts; all foreign text is escaped. */
export function pageHtml(status: RelayStatus): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    "<title>scoreframe relay</title>",
    `<style>${STYLE}</style></head><body><main>`,
    `<h1>Relay of ${escapeHtml(status.service)}</h1>`,
    paragraph("quiet", `${toText(status.at)} by the service's clock`),
    ...healthOf(status),
    `<h2>What is left</h2>${allowanceOf(status)}`,
    `<h2>Who spends</h2>${usersOf(status)}`,
    `<h2>Factors and store</h2>${factorsOf(status)}`,
    `<h2>Last refusals</h2>${refusalsOf(status)}`,
    "</main></body></html>\n",
  ].join("\n");
}

function healthOf(status: RelayStatus): readonly string[] {
  const { diskTrouble, accountTrouble, licence, synthetic, waiting } = status;
  const troubles = [
    ...diskTrouble === null ? [] : [`The disk cannot be written: ${diskTrouble}`],
    ...accountTrouble === null ? [] : [accountTrouble],
    ...licence.confirmedAt === null && accountTrouble === null
      ? ["No licence is confirmed; the next request of a user asks the service for it"]
      : [],
    ...synthetic ? ["The numbers are synthetic"] : [],
  ];
  const well = licence.until === null ? [] : [
    `Licensed for ${licence.factors.join(" and ") || "no factor"} until ` +
    `${toText(licence.until)}; ${groupThousands(waiting)} waiting for their turn`,
  ];
  return [
    ...troubles.map((text) => paragraph("warning", text)),
    ...well.map((text) => paragraph("well", text)),
  ];
}

function allowanceOf({ allowance }: RelayStatus): string {
  const budgets = [
    ["requests this minute", allowance.minute],
    ["requests today", allowance.day],
    ["downloads today", allowance.download],
  ] as const;
  const held = allowance.heldUntil === null
    ? ""
    : paragraph("warning", `The service requires waiting until ${toText(allowance.heldUntil)}`);
  const rows = budgets.map(([name, { remaining, limit, resetAt }]) => [
    ...[name, groupThousands(remaining), groupThousands(limit), toText(resetAt)],
  ]);
  return held + table(["budget", "left", "of", "until"], rows);
}

function usersOf({ users, day }: RelayStatus): string {
  const of = (spent: number, limit: number | null) =>
    limit === null ? groupThousands(spent) : `${groupThousands(spent)} of ${groupThousands(limit)}`;
  const rate = day.hitRate === null ? "" : `, ${Math.round(day.hitRate * 100)}% from the store`;
  const total = `Today: ${groupThousands(day.answered)} answers${rate}; ` +
    `${countText(day.requests, "request")} to the service and ` +
    `${countText(day.downloads, "download")}`;
  return paragraph("quiet", total) + table(
    ["user", "downloads", "requests", "answers"],
    users.map(({ name, requestsLimit, downloadsLimit, requests, downloads, answered }) => [
      ...[name, of(downloads, downloadsLimit), of(requests, requestsLimit)],
      groupThousands(answered),
    ]),
  );
}

function factorsOf({ factors, licence, store, releases }: RelayStatus): string {
  const free = store.freeBytes === null ? "" : `, ${sizeText(store.freeBytes)} free`;
  const rows = factors.map(({ factor, lastCheckedAt, status }) => [
    ...[factor, licence.factors.includes(factor) ? "licensed" : "not confirmed", status ?? ""],
    lastCheckedAt === null ? "not asked since the start" : toText(lastCheckedAt),
  ]);
  return table(["factor", "licence", "status", "last check"], rows) + [
    `${store.path}: ${groupThousands(store.sets)} sets, ${groupThousands(store.checks)} ` +
    `checks${free}`,
    ...releases.map(({ factor, sha256, sizeBytes, receivedAt }) =>
      `release of ${factor} ${sha256.slice(0, 12)}, ${sizeText(sizeBytes)}, received ` +
      `${toText(receivedAt)}`
    ),
  ].map((text) => paragraph("quiet", text)).join("");
}

function refusalsOf({ refusals }: RelayStatus): string {
  if (refusals.length === 0) return paragraph("quiet", "none");
  const items = refusals.slice(0, SHOWN_REFUSALS).map(({ at, user, request, answer, because }) => {
    const words = [toText(at), user ?? "unknown key", request].map(escapeHtml);
    const reason = because === null ? "" : `<br>${escapeHtml(because)}`;
    return `<li><b>${escapeHtml(answer)}</b> ${words.join(" · ")}${reason}</li>`;
  });
  return `<ul>${items.join("")}</ul>`;
}

function paragraph(kind: string, text: string): string {
  return `<p class="${kind}">${escapeHtml(text)}</p>`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[], tag: string) =>
    row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join("");
  const body = rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("");
  return `<table><thead><tr>${cells(header, "th")}</tr></thead><tbody>${body}</tbody></table>`;
}

function toText(instant: string): string {
  return instant.replace("T", " ").replace(/:\d\d\.\d+Z$/, " UTC");
}
