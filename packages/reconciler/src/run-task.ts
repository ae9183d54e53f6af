import type { Db } from "@fairlead/db";
import { TerminalError } from "@fairlead/drivers";
import { describeOutage } from "@fairlead/services";
import type { Log } from "@fairlead/telemetry";
import { Abandoned, unlessAbandoned } from "./abandon.ts";
import { backoffMs } from "./backoff.ts";
import { DriverFailure } from "./driver-failure.ts";
import { type Finish, type Finished, finishTask, forgetTask } from "./finish.sql.ts";
import { keepLease } from "./keep-lease.ts";
import { renewLease } from "./lease.sql.ts";
import type { LoopMetrics } from "./metrics.ts";
import type { Outcome } from "./outcome.ts";
import type { ReconcileContext, Reconciler } from "./reconciler.ts";
import { type ClaimedTask, LeaseLost } from "./task.ts";

export type RunOptions = {
  db: Db;
  log: Log;
  metrics: LoopMetrics;
  now: () => Date;
  random: () => number;
  leaseMs: number;
  /** The time limit of an attempt: then it is aborted and counts as failed. */
  attemptMs: number;
  /** How long work may take to stop once aborted. */
  graceMs: number;
  /** Aborts when the controller stops. */
  signal: AbortSignal;
  onStep?: ((step: string, task: ClaimedTask) => void | Promise<void>) | undefined;
};

/** runTask reconciles one claimed object and releases it. It never throws. */
export async function runTask(reconciler: Reconciler, task: ClaimedTask, options: RunOptions): Promise<void> {
  const startedAt = performance.now();
  const log = options.log.with({ kind: task.kind, id: task.objectId });
  const attempt = await attemptTask(reconciler, task, { ...options, log });
  const finished = await giveBack(task, attempt.finish, { ...options, log });
  const outcome = finished === "lost" ? "lost" : attempt.outcome;
  options.metrics.finished(task.kind, outcome, (performance.now() - startedAt) / 1_000);
}

type Attempt = { outcome: string; finish: Finish | "forget" | "leave" };

async function attemptTask(reconciler: Reconciler, task: ClaimedTask, options: RunOptions): Promise<Attempt> {
  const { db, log, leaseMs } = options;
  const lease = keepLease(() => renewLease(db, task, leaseMs), leaseMs);
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(new Error(`it took longer than ${options.attemptMs / 1_000} s`)),
    options.attemptMs,
  );
  const signal = AbortSignal.any([lease.signal, limit.signal, options.signal]);
  let lastStep = "claimed";
  const ctx: ReconcileContext = {
    db,
    task,
    log,
    signal,
    now: options.now,
    countCorrections: (corrections) => options.metrics.corrected(task.kind, corrections),
    async passed(step) {
      lastStep = step;
      await options.onStep?.(step, task);
      signal.throwIfAborted();
    },
  };
  try {
    const outcome = await unlessAbandoned(reconcile(reconciler, task.objectId, ctx), signal, options.graceMs);
    return { outcome: outcome.type, finish: finishOf(outcome, reconciler.resyncEveryMs, options.random) };
  } catch (error) {
    if (error instanceof Abandoned || error instanceof LeaseLost || lease.signal.aborted) {
      // The controller that holds the object now, or claims it when the lease expires, starts over.
      log.warn("abandoned an object", { err: error, after: lastStep });
      return { outcome: "lost", finish: "leave" };
    }
    if (options.signal.aborted) return { outcome: "stopped", finish: { delayMs: 0 } };
    const terminal = error instanceof TerminalError;
    log.warn(terminal ? "rests until it is changed" : "failed, tries again", { err: error, after: lastStep });
    if (isWorthRecording(error))
      await reconciler
        .recordFailure?.(task.objectId, { error, terminal }, ctx)
        .catch((err: unknown) => log.warn("could not record a failure", { err }));
    const message = error instanceof Error ? error.message : String(error);
    const delayMs = terminal ? 0 : backoffMs(task.attempts, options.random);
    return { outcome: terminal ? "terminal" : "failed", finish: { delayMs, error: message, rest: terminal } };
  } finally {
    clearTimeout(timer);
    lease.stop();
  }
}

/**
 * During a database outage nothing can be written, and recording it later helps no one. An outside that is unreachable
 * fails with the same codes, so the source of the error decides, not its code.
 */
function isWorthRecording(error: unknown): boolean {
  return error instanceof DriverFailure || error instanceof TerminalError || describeOutage(error) === null;
}

async function reconcile(reconciler: Reconciler, objectId: string, ctx: ReconcileContext): Promise<Outcome> {
  await ctx.passed("claimed");
  const outcome = await reconciler.reconcile(objectId, ctx);
  await ctx.passed("reconciled");
  return outcome;
}

function finishOf(outcome: Outcome, resyncEveryMs: number, random: () => number): Finish | "forget" {
  switch (outcome.type) {
    case "done":
      // Spread by a tenth each way, so that objects created together don't stay due together for ever.
      return { delayMs: Math.round(resyncEveryMs * (0.9 + 0.2 * random())) };
    case "again":
      return { delayMs: outcome.afterMs };
    case "gone":
      return "forget";
    default:
      return outcome satisfies never;
  }
}

async function giveBack(task: ClaimedTask, finish: Attempt["finish"], options: RunOptions): Promise<Finished> {
  if (finish === "leave") return "lost";
  try {
    const finished = await (finish === "forget" ? forgetTask(options.db, task) : finishTask(options.db, task, finish));
    await options.onStep?.("finished", task);
    return finished;
  } catch (error) {
    options.log.warn("could not release an object; its lease will expire", { err: error });
    return "lost";
  }
}
