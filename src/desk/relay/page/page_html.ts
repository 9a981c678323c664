import { ENDPOINTS } from "../../../base/contract/http/endpoint.ts";
import { escapeHtml } from "../../../frames/notebook/escape_html.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { dayPicture } from "./_day_picture.ts";
import { STATUS_PAGE_STYLE } from "./_page_style.ts";
import type { RelayStatus } from "./relay_status.ts";

const WIDE = '<div class="wide">';

/**
 * The status of a relay as a page without scripts; all foreign text is escaped.
 *
 * @param isReloading True if the page reloads itself every half minute
 */
export function pageHtml(status: RelayStatus, isReloading = false): string {
  const { day } = status;
  const rate = day.hitRate === null ? "no answers yet" : `${Math.round(day.hitRate * 100)}%`;
  const reload = isReloading
    ? 'reloads every 30 s, <a href="/relay">stop</a>'
    : '<a href="/relay?reload">reload every 30 s</a>';
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    isReloading ? '<meta http-equiv="refresh" content="30">' : "",
    "<title>scoreframe relay</title>",
    `<style>${STATUS_PAGE_STYLE}</style></head><body><main>`,
    `<h1>Relay of ${escapeHtml(status.service)}</h1>`,
    `<p class="quiet">${escapeHtml(shortTime(status.at))} by the service's clock; ${reload}</p>`,
    ...warningsOf(status),
    '<section class="tiles">',
    tile("Answered today", groupThousands(day.answered)),
    tile("Requests to the service", groupThousands(day.requests)),
    tile("Hit rate", rate),
    tile("Downloads", groupThousands(day.downloads)),
    tile("Waiting now", groupThousands(status.waiting)),
    "</section>",
    section("Through the day", dayPicture(day.spans)),
    section("Remaining allowance of the account", allowanceTable(status)),
    section("Users today", usersTable(status)),
    section("Users by endpoint, since the start", usesTable(status)),
    section("Licence and factors", factorsTable(status)),
    section("Store and releases", storeTable(status)),
    section("Last refusals", refusalList(status)),
    "</main></body></html>\n",
  ].join("\n");
}

function warningsOf({ diskTrouble, synthetic, licence }: RelayStatus): readonly string[] {
  const warn = (text: string) => `<p class="warning">${escapeHtml(text)}</p>`;
  return [
    ...diskTrouble === null ? [] : [warn(`The disk cannot be written: ${diskTrouble}`)],
    ...licence.confirmedAt === null
      ? [warn("No licence is confirmed; the next request of a user will ask the service for it")]
      : [],
    ...synthetic ? [warn("The numbers are synthetic")] : [],
  ];
}

function allowanceTable({ allowance }: RelayStatus): string {
  const rows = [
    ["requests a minute", allowance.minute],
    ["requests a day", allowance.day],
    ["downloads a day", allowance.download],
  ] as const;
  const held = allowance.heldUntil === null
    ? ""
    : `<p>The service requires waiting until ${escapeHtml(shortTime(allowance.heldUntil))}</p>`;
  return held + table(
    ["budget", "remaining", "limit", "resets at"],
    rows.map(([name, left]) => [
      name,
      groupThousands(left.remaining),
      groupThousands(left.limit),
      shortTime(left.resetAt),
    ]),
  );
}

function usersTable({ users }: RelayStatus): string {
  const limited = (spent: number, limit: number | null) =>
    limit === null ? groupThousands(spent) : `${groupThousands(spent)} of ${groupThousands(limit)}`;
  return table(
    ["user", "answers", "requests to the service", "downloads"],
    users.map((user) => [
      user.name,
      groupThousands(user.answered),
      limited(user.requests, user.requestsLimit),
      limited(user.downloads, user.downloadsLimit),
    ]),
  );
}

function usesTable({ uses }: RelayStatus): string {
  const header = [
    "user",
    "path",
    "answers",
    "from the store",
    "refusals",
    "requests to the service",
  ];
  return table(
    header,
    uses.map((use) => [
      ...[use.user, pathOf(use.endpoint)],
      ...[use.answered, use.free, use.refused, use.requests].map(groupThousands),
    ]),
  );
}

function factorsTable({ factors, licence }: RelayStatus): string {
  const until = licence.until === null
    ? ""
    : `<p>Confirmed at ${shortTime(licence.confirmedAt!)}, valid until ${
      shortTime(licence.until)
    }</p>`;
  return until + table(["factor", "licensed", "last request", "last check", "status"], [
    ...factors.map(({ factor, askedAt, lastCheckedAt, status }) => [
      factor,
      licence.factors.includes(factor) ? "yes" : "not confirmed",
      askedAt === null ? "not since the start" : shortTime(askedAt),
      lastCheckedAt === null ? "" : shortTime(lastCheckedAt),
      status ?? "",
    ]),
  ]);
}

function storeTable({ store, releases }: RelayStatus): string {
  const bytes = (count: number | null) =>
    count === null ? "being counted" : `${groupThousands(Math.ceil(count / 1e6))} MB`;
  const facts = table(["store", "sets", "checks", "size", "free"], [[
    ...[store.path, groupThousands(store.sets), groupThousands(store.checks)],
    ...[bytes(store.bytes), bytes(store.freeBytes)],
  ]]);
  return facts + table(
    ["release of", "SHA-256", "size", "received"],
    releases.map((release) => [
      ...[release.factor, release.sha256.slice(0, 12), bytes(release.sizeBytes)],
      shortTime(release.receivedAt),
    ]),
  );
}

function refusalList({ refusals }: RelayStatus): string {
  if (refusals.length === 0) return '<p class="quiet">none</p>';
  const items = refusals.map(({ at, user, request, answer, because }) => {
    const words = [shortTime(at), user ?? "unknown key", request].map(escapeHtml);
    const reason = because === null ? "" : `<br>${escapeHtml(because)}`;
    return `<li><b>${escapeHtml(answer)}</b> ${words.join(" · ")}${reason}</li>`;
  });
  return `<ul>${items.join("")}</ul>`;
}

function pathOf(endpoint: string): string {
  return Object.values(ENDPOINTS).find(({ id }) => id === endpoint)?.path ?? endpoint;
}

function tile(name: string, value: string): string {
  return `<div><b>${escapeHtml(value)}</b><span>${escapeHtml(name)}</span></div>`;
}

function section(title: string, content: string): string {
  // A wide table can be scrolled with the keyboard.
  const named = content.replaceAll(
    WIDE,
    `<div class="wide" tabindex="0" role="group" aria-label="${escapeHtml(title)}">`,
  );
  return `<section><h2>${escapeHtml(title)}</h2>${named}</section>`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '<p class="quiet">none</p>';
  const cells = (row: readonly string[], tag: string) =>
    row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join("");
  const body = rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("");
  return `${WIDE}<table><thead><tr>${cells(header, "th")}</tr></thead>` +
    `<tbody>${body}</tbody></table></div>`;
}

function shortTime(instant: string): string {
  return instant.replace("T", " ").replace(/\.\d+Z$/, " UTC");
}
