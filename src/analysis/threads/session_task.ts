import { type BucketTask, runBuckets } from "./run_buckets.ts";
import { type CellTask, runCells } from "./run_cells.ts";
import { type OrdersTask, runOrders } from "./run_orders.ts";
import { type PairIcTask, runPairIc } from "./run_pair_ic.ts";
import { runSignals, type SignalTask } from "./run_signals.ts";
import type { Chunks, SessionRunner } from "./take_chunks.ts";

/** Task done session by session: input arrays, and result arrays in which each session has its own range. */
export type SessionTask =
  | PairIcTask
  | OrdersTask
  | SignalTask
  | BucketTask
  | CellTask;

/** A task whose sessions are divided among threads. */
export interface SessionJob {
  /** The task. */
  readonly task: SessionTask;
  /** Its sessions. */
  readonly chunks: Chunks;
}

/** Prepares a task. */
export function runnerOf(task: SessionTask): SessionRunner {
  switch (task.kind) {
    case "pair IC":
      return runPairIc(task);
    case "signals":
      return runSignals(task);
    case "orders":
      return runOrders(task);
    case "buckets":
      return runBuckets(task);
    case "cells":
      return runCells(task);
  }
}
