import process from "node:process";

/** Waits for SIGTERM or SIGINT; SIGHUP, at which logs are opened again, ends nothing. */
export function untilStopped(onHangUp: () => void): Promise<void> {
  process.on("SIGHUP", onHangUp);
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
  });
}
