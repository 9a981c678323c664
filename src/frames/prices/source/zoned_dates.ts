/** A time of a text: an instant, or the time of day of a place that the text may name. */
type Time =
  | { readonly ms: number }
  | { readonly date: string; readonly clock: string; readonly zone: string | null };

const TEXT =
  /^(\d{4})-?(\d{2})-?(\d{2})[T -](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[A-Za-z]+(?:\/[A-Za-z_]+)+)?$/;
// Seconds, and their thousandths, millionths and billionths, from 1980 to 2100.
const EPOCH = /^\d{9,19}$/;
const [LEAST_MS, MOST_MS] = [Date.UTC(1980, 0, 1), Date.UTC(2100, 0, 1)];
const NOON = "12:00";
// Zones of large exchanges with the time of their close; of several that fit, the first one is meant.
const MARKETS: Readonly<Record<string, string>> = {
  "UTC": "",
  "America/New_York": "16:00",
  "Europe/London": "16:30",
  "Europe/Berlin": "17:30",
  "Asia/Tokyo": "15:30",
  "Asia/Hong_Kong": "16:00",
  "Asia/Shanghai": "15:00",
  "Asia/Kolkata": "15:30",
  "Asia/Seoul": "15:30",
  "Asia/Singapore": "17:00",
  "Australia/Sydney": "16:00",
  "America/Toronto": "16:00",
  "America/Chicago": "15:00",
  "America/Sao_Paulo": "17:00",
  "Europe/Paris": "17:30",
  "Europe/Zurich": "17:30",
  "Europe/Helsinki": "18:30",
  "Asia/Taipei": "13:30",
  "Asia/Jakarta": "16:00",
  "Africa/Johannesburg": "17:00",
  "Europe/Istanbul": "18:00",
  "Asia/Jerusalem": "17:15",
  "Asia/Riyadh": "15:00",
  "America/Mexico_City": "15:00",
  "Pacific/Auckland": "16:45",
};

/** `true` for a number of seconds, milliseconds, microseconds or nanoseconds since 1970, from 1980 to 2100. */
export function isEpochText(text: string): boolean {
  return epochMs(text) !== null;
}

function epochMs(text: string): number | null {
  if (!EPOCH.test(text)) return null;
  const unit = 10 ** (3 * Math.max(0, Math.ceil((text.length - 10) / 3)));
  const ms = Number(text) / unit * 1000;
  return ms >= LEAST_MS && ms < MOST_MS ? ms : null;
}

function timeOf(text: string): Time | null {
  const epoch = epochMs(text);
  if (epoch !== null) return { ms: epoch };
  const found = TEXT.exec(text);
  if (found === null) return null;
  const [, year, month, day, hour, minute, second = "00", zone] = found;
  const date = `${year}-${month}-${day}`;
  const clock = `${hour}:${minute}${second === "00" ? "" : `:${second}`}`;
  if (zone === undefined || zone.includes("/")) return { date, clock, zone: zone ?? null };
  const offset = /^[+-]/.test(zone) ? zone.replace(/^([+-]\d{2}):?(\d{2})$/, "$1:$2") : "Z";
  const ms = Date.parse(`${date}T${hour}:${minute}:${second}${offset}`);
  return Number.isNaN(ms) ? null : { ms };
}

/** Date and time of day of a time in a zone, such as `2026-10-30` and `16:00`. */
function placed(time: Time, clockOf: (ms: number) => string) {
  if (!("ms" in time)) return [time.date, time.clock] as const;
  const [date = "", clock = ""] = clockOf(time.ms).split(" ");
  return [date, clock] as const;
}

function clockIn(zone: string): (ms: number) => string {
  const [year, digits] = ["numeric", "2-digit"] as const;
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    year,
    month: digits,
    day: digits,
    hour: digits,
    minute: digits,
    hourCycle: "h23",
  });
  return (ms) => format.format(ms);
}

/** Makes a parser of times, which returns the date in a zone, or `null` for a text that is no time. */
export function zonedDateReader(zone: string): (text: string) => string | null {
  const clock = clockIn(zone);
  return (text) => {
    const trimmed = text.trim();
    if (/^\d{4}-\d{2}-\d{2}$/.test(trimmed)) return trimmed;
    const time = timeOf(trimmed);
    return time === null ? null : placed(time, clock)[0];
  };
}

/**
 * Advice for texts with a time of day: the zone in which all have the same one, midnight before others.
 *
 * @returns `null` if a text is no time
 */
export function zoneAdvice(texts: readonly string[]): string | null {
  const times = texts.map((text) => timeOf(text.trim()));
  if (times.some((time) => time === null)) return null;
  const known = times as readonly Time[];
  const named = [...new Set(known.map((time) => "zone" in time ? time.zone : null))];
  if (named.length === 1 && named[0] !== null) {
    return `use timeZone: ${JSON.stringify(canonical(named[0]!))}, which they name`;
  }
  if (!known.some((time) => "ms" in time)) return localAdvice(known);
  const fits = zonesOf(known);
  const [best] = fits;
  if (best === undefined) {
    return "no time zone gives them one time of day, so read the prices of each market by themselves, with its timeZone";
  }
  const other = fits.find(({ clock, zone, dates }) =>
    (clock === "00:00" || clock === MARKETS[zone]) && dates !== best.dates && zone in MARKETS
  );
  const ways = [best, ...(other === undefined ? [] : [other])];
  const zones = ways.map(({ zone }) => `timeZone: "${zone}"`).join(" or ");
  const clocks = ways.map(({ clock }) => clock).join(" or ");
  return `use ${zones}, in which all of them are at ${clocks}`;
}

function canonical(zone: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return zone;
  }
}

/** Times without a zone are those of a place: their dates stand, unless an evening is the next day elsewhere. */
function localAdvice(times: readonly Time[]): string {
  const clocks = [...new Set(times.map((time) => "clock" in time ? time.clock : ""))].toSorted();
  const at = clocks.join(" and ");
  return clocks.length === 1 || clocks.every((clock) => clock <= NOON)
    ? `use timeZone: "UTC", which takes their dates as they are written (at ${at})`
    : `they are at ${at} without a zone, so that an evening may belong to the next day; read the ` +
      "prices of each market by themselves, with its timeZone";
}

function zonesOf(times: readonly Time[]) {
  const all = [...new Set([...Object.keys(MARKETS), ...Intl.supportedValuesOf("timeZone")])];
  const fits = all.flatMap((zone) => {
    const clock = clockIn(zone);
    const found = times.map((time) => placed(time, clock));
    const [[, first]] = found as [readonly [string, string]];
    if (found.some(([, other]) => other !== first)) return [];
    return [{ zone, clock: first, dates: found.map(([date]) => date).join() }];
  });
  // Vendors date days by their midnight, or by the close.
  const rank = ({ clock, zone }: typeof fits[number]) =>
    clock === "00:00" || clock === MARKETS[zone] ? 0 : zone === "UTC" ? 2 : 1;
  return fits.toSorted((a, b) => rank(a) - rank(b));
}
