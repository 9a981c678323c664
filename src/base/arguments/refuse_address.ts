import { describe } from "../contract/violation.ts";

// A drive of Windows has one letter. One slash counts, too: joining paths turns s3:// into s3:/.
const ADDRESS = /^([a-z][a-z0-9+.-]+):\/(?!\\)/i;

const COPY = "use a path on this machine, and copy the files";
const ADVICE: Readonly<Record<string, string>> = {
  s3: `${COPY} by "aws s3 sync", or mount the bucket`,
  gs: `${COPY} by "gcloud storage rsync", or mount the bucket`,
  az: `${COPY} by "azcopy", or mount the container`,
  hdfs: `${COPY} by "hdfs dfs -put" and "-get", or mount the file system`,
  dbfs: "use the path that begins with /dbfs/",
  file: "use the path without file://",
  http: "download it, and use its path on this machine",
};
const SAME_AS: Readonly<Record<string, string>> = {
  s3a: "s3",
  s3n: "s3",
  gcs: "gs",
  https: "http",
  viewfs: "hdfs",
  abfs: "az",
  abfss: "az",
  wasb: "az",
  wasbs: "az",
  adl: "az",
  azure: "az",
};

const FILE_ENDING = /\.(csv|tsv|txt|parquet|pq|json|jsonl|arrow|feather|ipc|pkl|xlsx?|h5|gz|zip)$/i;

/**
 * Refuses an address such as `s3://bucket/x` where a path is expected: the disk would take it for a folder named `s3:`.
 *
 * @param action The action, worded to follow "Cannot"
 * @param path The given path; a value that is no text passes
 * @throws {TypeError} If it begins with a scheme
 */
export function refuseAddress(action: string, path: unknown): void {
  const scheme = typeof path === "string" ? ADDRESS.exec(path)?.[1]?.toLowerCase() : undefined;
  if (scheme === undefined) return;
  const advice = ADVICE[SAME_AS[scheme] ?? scheme] ?? COPY;
  throw new TypeError(
    `Cannot ${action}: expected a path on this machine, got the address ${describe(path)}; ` +
      `${advice}`,
  );
}

/**
 * Refuses what is no path of a folder, because no compiler checks the arguments in a notebook cell.
 *
 * @param action What is done, worded to follow "Cannot"
 * @param folder What was given
 * @throws {TypeError} If it is not text, is empty, or is an address
 */
export function assertFolder(action: string, folder: unknown): asserts folder is string {
  refuseAddress(action, folder);
  if (typeof folder === "string" && folder !== "") return;
  throw new TypeError(`Cannot ${action}: expected the path of a folder, got ${describe(folder)}`);
}

/**
 * Refuses what is no path of a folder, the name of a file among it: a folder of that name would be made.
 *
 * @param action What is done, worded to follow "Cannot"
 * @param folder What was given
 * @param frame How one file of it is written instead, such as `release.writeParquet(path)`
 * @throws {TypeError} If it is not text, is empty, or names a file
 */
export function assertFolderPath(action: string, folder: unknown, frame: string): void {
  assertFolder(action, folder);
  if (!FILE_ENDING.test(folder)) return;
  throw new TypeError(
    `Cannot ${action}: expected the path of a folder, in which one Parquet file per year is written, got the ` +
      `name of a file, ${describe(folder)}; leave its ending out, or write one file by ${frame}`,
  );
}
