/**
 * Costs of a request at a relay, without sockets: beside the embedded server, with a thousand users, and over a store of ten
 * years. Both sides of a comparison take turns, and the least of many rounds counts, so that whatever else the machine does
 * falls on neither.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Relay } from "../src/desk/relay/relay.ts";
import type { RelayUser } from "../src/desk/relay/user/user_file.ts";
import type { ScoreServer } from "../src/server/mod.ts";
import { sha256Hex } from "../src/base/store/layout.ts";

const YEARS = 10;
const HOURS = YEARS * 8_760;
const HOUR_MS = 3_600_000;
const ROUNDS = 100;
const EACH = 50;
const MISSES = 120;
const WARM_PATH = "/v1/scores?at=2026-11-18T21:00:00Z";

/** A service, and a folder for the relays in front of it. */
export interface CostParts {
  readonly service: ScoreServer;
  readonly key: string;
  readonly folder: string;
}

interface Side {
  readonly name: string;
  readonly ask: (path: string) => Promise<void>;
}

/** Measures; returns lines to print, and if all of them are as they should be. */
export async function measureCosts(
  parts: CostParts,
): Promise<{ lines: string[]; isGood: boolean }> {
  const few = await openRelay(parts, "few", 10);
  const many = await openRelay(parts, "many", 1_000);
  await (await openRelay(parts, "aged", 10)).relay.close();
  await fillTenYears(join(parts.folder, "aged", "store"));
  const begunMs = performance.now();
  const aged = await openRelay(parts, "aged", 10);
  await aged.ask(WARM_PATH);
  const startMs = performance.now() - begunMs;
  const server = { name: "server", ask: askerOf(parts.service, [parts.key]) };
  const [atRelay, atServer] = await least([few, server]);
  const [ofFew, ofMany] = await least([few, many]);
  const [young, old] = await least([few, aged]);
  const [newMiss, oldMiss] = await missesOf([few, aged]);
  for (const { relay } of [few, many, aged]) await relay.close();
  const lines = [
    `a warm request: ${atRelay} µs at the relay, ${atServer} µs at the server, ${
      ratio(atRelay, atServer)
    } times (at most 1.3)`,
    `a warm request with 1,000 users: ${ofMany} µs, with 10: ${ofFew} µs`,
    `a warm request over ${YEARS} years: ${old} µs, over a new store: ${young} µs`,
    `a request that goes on to the service, median and 95th percentile: ${
      oldMiss!.join(" and ")
    } ms over ${YEARS} ` +
    `years, ${newMiss!.join(" and ")} ms over a new store`,
    `the relay opened over ${YEARS} years and gave its first answer in ${Math.round(startMs)} ms`,
  ];
  const isGood = atRelay! <= 1.3 * atServer! && ofMany! <= 1.3 * ofFew! && old! <= 1.3 * young! &&
    oldMiss![0]! <= 2 * newMiss![0]! && startMs < 1_000;
  return { lines, isGood };
}

async function openRelay(
  { service, key, folder }: CostParts,
  name: string,
  users: number,
): Promise<Side & { readonly relay: Relay }> {
  const place = join(folder, name);
  const state = join(place, "state");
  const keys = Array.from({ length: users }, (_, i) => `relay_test_${name}_${i}`);
  await mkdir(state, { recursive: true });
  await writeFile(
    join(state, "users.json"),
    JSON.stringify({ format: 1, users: keys.map(userOf) }),
  );
  const relay = await Relay.open({
    ...{ state, store: join(place, "store"), cacheDir: join(place, "cache"), environment: {} },
    ...{ apiKey: key, baseUrl: "http://service.test", fetch: (request) => service.fetch(request) },
    now: () => service.clock.nowMs(),
  });
  const ask = askerOf(relay, keys);
  await ask(WARM_PATH);
  return { name, relay, ask };
}

function userOf(key: string, i: number): RelayUser {
  return {
    ...{ name: `user-${i}`, sha256: sha256Hex(key), addedAt: "2026-11-20T15:00:00.000Z" },
    ...{ revokedAt: null, factors: null, requests: null, downloads: null, admin: false },
  };
}

function askerOf(
  api: { readonly fetch: (request: Request) => Promise<Response> },
  keys: readonly string[],
): Side["ask"] {
  let turn = 0;
  return async (path) => {
    const headers = { Authorization: `Bearer ${keys[turn++ % keys.length]}` };
    const answer = await api.fetch(new Request(`http://relay.test${path}`, { headers }));
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path} gave ${answer.status}`);
  };
}

// Microseconds a request.
async function least(sides: readonly Side[]): Promise<number[]> {
  const found = sides.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, { ask }] of sides.entries()) {
      const begunMs = performance.now();
      for (let n = 0; n < EACH; n++) await ask(WARM_PATH);
      found[i] = Math.min(found[i]!, (performance.now() - begunMs) / EACH * 1000);
    }
  }
  return found.map(Math.round);
}

async function missesOf(sides: readonly Side[]): Promise<[median: number, high: number][]> {
  const spent = sides.map((): number[] => []);
  const lastMs = Date.parse("2026-11-17T21:30:00Z");
  for (let n = 0; n < MISSES; n++) {
    const at = new Date(lastMs - n * HOUR_MS).toISOString();
    for (const [i, { ask }] of sides.entries()) {
      const begunMs = performance.now();
      await ask(`/v1/scores?at=${at}`);
      spent[i]!.push(performance.now() - begunMs);
    }
  }
  return spent.map((times) => {
    const sorted = times.toSorted((a, b) => a - b);
    return [0.5, 0.95].map((share) =>
      Math.round(sorted[Math.floor(MISSES * share)]! * 10) / 10
    ) as [
      number,
      number,
    ];
  });
}

// Ten years of checks and views before those of the service; their names alone are read.
async function fillTenYears(store: string): Promise<void> {
  const endMs = Date.parse("2025-01-01T00:00:00Z");
  for (const factor of ["ecpnd", "ecqdi"]) {
    for (const kind of ["checks", "views"]) {
      await mkdir(join(store, factor, kind), { recursive: true });
    }
    for (let hour = HOURS; hour > 0; hour--) {
      const at = (ms: number) =>
        new Date(endMs - hour * HOUR_MS + ms).toISOString().replaceAll(":", "-");
      Deno.writeTextFileSync(join(store, factor, "checks", `${at(0)}--0123456789ab.json`), "");
      Deno.writeTextFileSync(join(store, factor, "views", `${at(1_800_000)}.json`), "");
    }
  }
}

function ratio(a: number | undefined, b: number | undefined): string {
  return (a! / b!).toFixed(2);
}
