import { type Db, listen } from "@fairlead/db";
import { taskChannel } from "@fairlead/services";
import type { Log } from "@fairlead/telemetry";
import { claimTasks, returnTasks } from "./claim.sql.ts";
import type { LoopMetrics } from "./metrics.ts";
import type { Reconciler } from "./reconciler.ts";
import { type RunOptions, runTask } from "./run-task.ts";
import { Wakeup } from "./wakeup.ts";

export type LoopOptions = {
  db: Db;
  /** For the connection that receives hints; null to poll every pollMs instead. */
  listenUrl: string | null;
  reconcilers: readonly Reconciler[];
  log: Log;
  metrics: LoopMetrics;
  concurrency?: number;
  leaseMs?: number;
  attemptMs?: number;
  /** How often to poll without a hint. */
  pollMs?: number;
  now?: () => Date;
  random?: () => number;
  onStep?: RunOptions["onStep"];
};

export type Loop = {
  /** stop claims nothing more, waits drainMs for running work, then aborts it. */
  stop: (drainMs?: number) => Promise<void>;
};

const graceMs = 1_000;
const claimRetryMostMs = 5_000;

/** startLoop reconciles whatever is due until it is stopped. Any number of loops may share one database. */
export async function startLoop(options: LoopOptions): Promise<Loop> {
  const { db, log, metrics } = options;
  const { concurrency = 16, leaseMs = 20_000, attemptMs = 120_000, pollMs = 1_000 } = options;
  const { now = () => new Date(), random = Math.random, onStep } = options;
  const reconcilers = new Map(options.reconcilers.map((each) => [each.kind, each]));
  const kinds = [...reconcilers.keys()];
  const running = new Set<Promise<void>>();
  const wakeup = new Wakeup();
  const abort = new AbortController();
  const { signal } = abort;
  const run: RunOptions = { db, log, metrics, now, random, leaseMs, attemptMs, graceMs, signal, onStep };
  let stopping = false;
  let failures = 0;

  const hints = options.listenUrl
    ? await listen({
        url: options.listenUrl,
        channels: [taskChannel],
        onNotification: () => wakeup.wake(),
        onConnected: () => wakeup.wake(),
        applicationName: "fairlead-reconciler-hints",
      })
    : null;

  async function turn(): Promise<void> {
    const limit = concurrency - running.size;
    // Every running task wakes the loop when it ends.
    if (limit === 0) return wakeup.wait(pollMs);
    const claimed = await claimTasks(db, { kinds, limit, leaseMs });
    if (failures > 0) log.info("the database is back");
    failures = 0;
    // stop was called while the database answered.
    if (stopping && claimed.length > 0) return returnTasks(db, claimed);
    for (const task of claimed) {
      const reconciler = reconcilers.get(task.kind);
      if (!reconciler) throw new Error(`claimed a task of the kind ${task.kind}, which has no reconciler`);
      const work = runTask(reconciler, task, run).then(() => {
        running.delete(work);
        wakeup.wake();
      });
      running.add(work);
    }
    if (claimed.length < limit) await wakeup.wait(pollMs * (0.75 + 0.25 * random()));
  }

  async function turns(): Promise<void> {
    while (!stopping) {
      try {
        await turn();
      } catch (err) {
        if (failures++ === 0) log.error("can't claim due objects; retrying", { err });
        await wakeup.sleep(Math.min(claimRetryMostMs, 100 * 2 ** failures));
      }
    }
  }

  const turning = turns();
  return {
    async stop(drainMs = 10_000) {
      stopping = true;
      wakeup.close();
      await hints?.stop();
      await turning;
      const drained = Promise.all(running);
      if (await endsWithin(drained, drainMs)) return;
      abort.abort(new Error("the controller is stopping"));
      await endsWithin(drained, graceMs);
    },
  };
}

async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const ended = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return ended;
}
