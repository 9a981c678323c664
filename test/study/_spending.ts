import { FACTORS } from "../../src/base/contract/factor.ts";
import { selectCheckAt } from "../../src/base/store/checks/select_check.ts";
import { Store } from "../../src/base/store/store.ts";
import { readLockFile } from "../../src/study/lock/lock_file.ts";
import { KEY, pathOf, type Service } from "../client/_service.ts";

/** An account with which many studies are recorded in one day. */
export const ACCOUNT = {
  id: "client",
  factors: ["ecpnd", "ecqdi"],
  keys: [{ key: KEY }],
  limits: { requestsPerMinute: 100_000, requestsPerDay: 100_000, downloadsPerDay: 1_000 },
} as const;

/** The two questions of the list of publications that no other load asks: at the end of each of its sets but the last. */
export const WALK = [
  "GET /v1/scores?factor=ecpnd&at=2026-11-20T12%3A59%3A59.999Z",
  "GET /v1/scores?factor=ecpnd&at=2026-11-20T09%3A59%3A59.999Z",
] as const;

/** The question whether a service gives scores at all. */
export const PROOF = "GET /v1/scores?factor=ecpnd";

/** A service behind a socket that notes each request when it arrives. */
export interface NotingListener {
  /** Its address. */
  readonly url: string;
  /** When the first request arrived, by the clock of `performance`. */
  firstArrivalMs(): number;
  /** Sets the service's clock back to the time at which a new study begins. */
  beginAgain(): void;
  /** The requests that arrived since the last call, as method, path and query. */
  takeRequests(): readonly string[];
  /** Closes the socket. */
  close(): Promise<void>;
}

/** Puts a service behind a socket. */
export function listenNoting(service: Service): NotingListener {
  let firstMs: number | null = null;
  const beginMs = service.clock.ms;
  const listener = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    firstMs ??= performance.now();
    // The clock goes on when a study has its time: a study's time is past, which no clock that stands tells.
    if (!request.url.endsWith("/v1/factors")) service.clock.ms = beginMs + 1_000;
    return service.fetch(request);
  });
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    firstArrivalMs: () => firstMs ?? performance.now(),
    beginAgain: () => void (service.clock.ms = beginMs),
    takeRequests: () => service.requests.splice(0).map(pathOf),
    close: () => listener.shutdown(),
  };
}

/**
 * Those of some requests whose answer a study has: a view that its store proves, a file that its store holds, a release
 * or an absence that its lock names. A request for one of them spends a second time.
 */
export async function answeredBy(
  folder: string,
  requests: readonly string[],
): Promise<ReadonlySet<string>> {
  const store = await Store.open(`${folder}/store`).catch(() => null);
  const lock = (await readLockFile(folder))?.lock ?? null;
  const answered = new Set<string>();
  for (const request of new Set(requests)) {
    const [method, target = ""] = request.split(" ");
    const { pathname, searchParams } = new URL(target, "http://service");
    const factor = FACTORS.find((known) => known === searchParams.get("factor"));
    const at = searchParams.get("at");
    if (factor === undefined) {
      // The list of factors tells the time, which a lock has.
      if (lock !== null) answered.add(request);
    } else if (pathname.endsWith(".csv.gz") && method === "GET") {
      const releases = await store?.listReleases(factor) ?? [];
      if (releases.length > 0) answered.add(request);
    } else if (pathname.includes("history")) {
      if (lock?.releases.some((release) => release.factor === factor)) answered.add(request);
    } else if (store !== null && at !== null) {
      if (lock?.absences.some((absent) => absent.factor === factor && at <= absent.at)) {
        answered.add(request);
      }
      const found = await selectCheckAt(store, factor, at);
      const set = found.known && found.stored !== null &&
        await store.readSet(factor, found.stored.check.snapshotId);
      if (set) answered.add(request);
    }
  }
  return answered;
}

/**
 * The requests of a run without the one by which a list of publications makes sure of its end.
 *
 * Before the first publication a service answers 404, as a wrong address does (sections 4.3 and 7): only one that gives
 * scores can say that there were none. A whole run has it from the sets of the list. A run after a kill that came between
 * the last of these sets and the line of the lock for their end finds them all in the store: it has to ask again where
 * the list ends, and then whether it was the service that answered, once.
 */
export function withoutProof(requests: readonly string[]): readonly string[] {
  const [newer, end] = WALK;
  const at = requests.includes(newer) ? -1 : requests.indexOf(end);
  return requests.filter((request, i) => !(at !== -1 && i === at + 1 && request === PROOF));
}
