import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Relay } from "../../../src/desk/relay/relay.ts";
import type { ScoreServer, ScoreServerOptions } from "../../../src/server/mod.ts";
import { Front } from "../../../src/server/http/front.ts";
import type { ApiRequest } from "../../../src/server/message/message.ts";
import { DEFAULT_TIMES } from "../../../src/server/server_times.ts";
import { sha256Hex } from "../../../src/base/store/layout.ts";

const DEFAULT_KEY = "svc_test_full_access_0001";

/**
 * Relays in front of a server under test, one for each key of the service that a test shows: each has one user, whose key
 * differs from the service's in its beginning alone. They ask for the latest check and for the licence each time.
 */
export async function relaysBefore(
  server: ScoreServer,
  { times, accounts }: Partial<ScoreServerOptions> & Pick<ScoreServerOptions, "accounts">,
): Promise<Front> {
  const folder = await mkdtemp(join(tmpdir(), "scoreframe-relays-"));
  const relays = new Map<string, Promise<Relay>>();
  const open = async (key: string) => {
    const place = join(folder, String(relays.size));
    const state = join(place, "state");
    await mkdir(state, { recursive: true });
    // The keys of an account share its entity tags.
    const name = accounts.find(({ keys }) => keys.some((known) => known.key === key))?.id ?? "user";
    const user = { name, sha256: sha256Hex(ofRelay(key)), addedAt: "", revokedAt: null };
    const users = [{ ...user, requests: null, downloads: null, admin: false }];
    await writeFile(join(state, "users.json"), JSON.stringify({ format: 1, users }));
    return await Relay.open({
      ...{ state, apiKey: key, fetch: server.fetch, environment: {} },
      store: join(place, "store"),
      cacheDir: join(place, "cache"),
      baseUrl: "https://service.test",
      now: () => server.clock.nowMs(),
      sleep: () => Promise.resolve(),
      latestAgeMs: 0,
      leaseMs: 0,
      ...(times !== undefined && { times }),
    });
  };
  const relayOf = (request: ApiRequest | null) => {
    const key =
      /^bearer +(svc_(?:test|live)_\S+)$/i.exec(request?.header("authorization") ?? "")?.[1] ??
        DEFAULT_KEY;
    const known = relays.get(key) ?? open(key);
    relays.set(key, known);
    return known;
  };
  const first = await relayOf(null);
  const front = new Front({
    answer: async (request) => (await relayOf(request)).handler.answer(translated(request)),
    refuse: (refusal, request) => first.handler.refuse(refusal, request),
  }, { ...DEFAULT_TIMES, ...times });
  const close = async () => {
    await Front.prototype.close.call(front);
    for (const relay of relays.values()) await (await relay).close();
    await rm(folder, { recursive: true, force: true });
  };
  return Object.assign(front, { close });
}

function translated(request: ApiRequest): ApiRequest {
  return {
    ...request,
    header: (name) => {
      const value = request.header(name);
      return name === "authorization" && value !== null ? ofRelay(value) : value;
    },
  };
}

function ofRelay(key: string): string {
  return key.replace(/\bsvc_(test|live)_/, "relay_$1_");
}
