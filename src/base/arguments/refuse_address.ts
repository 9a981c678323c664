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
  ...{ s3a: "s3", s3n: "s3", gcs: "gs", https: "http", viewfs: "hdfs" },
  ...{ abfs: "az", abfss: "az", wasb: "az", wasbs: "az", adl: "az", azure: "az" },
};

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
