import { FACTORS } from "../../src/contract/factor.ts";
import { selectCheckAt } from "../../src/store/scores/select_check.ts";
import { Store } from "../../src/store/store.ts";
import { readLockFile } from "../../src/study/lock/lock_file.ts";
import { pathOf, type Service } from "../client/_service.ts";

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
