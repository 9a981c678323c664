import type { LossReport } from "./loss_report.ts";

/**
 * Refuses an alignment that lost too much.
 *
 * @throws {RangeError} If a larger share of the rows is lost for a horizon; the message says why
 */
export function assertSmallLoss(loss: LossReport, maxLoss: number): void {
  const lines = loss.table.toRecords() as {
    reason: string;
    horizon: number | null;
    rows: number;
  }[];
  const lost = lines.filter(({ reason }) => reason !== "used" && reason !== "ended");
  const sumOf = (horizon: number | null) =>
    lost.filter((line) => line.horizon === null || line.horizon === horizon)
      .reduce((sum, { rows }) => sum + rows, 0);
  const most = Math.max(0, ...new Set(lines.map(({ horizon }) => sumOf(horizon))));
  if (loss.rows === 0 || most / loss.rows <= maxLoss) return;
  throw new RangeError(
    `Cannot align scores: a loss of at most ${maxLoss} of the rows is required, it is ` +
      `${(most / loss.rows).toFixed(3)}. ${loss}`,
  );
}
