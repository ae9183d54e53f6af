import type { Db } from "@fairlead/db";
import type { TaskKind } from "@fairlead/services";
import type { Log } from "@fairlead/telemetry";
import type { Outcome } from "./outcome.ts";
import type { ClaimedTask } from "./task.ts";

/**
 * Reconciler reconciles the objects of one kind. It gets a key, never an event: it loads everything and acts on that.
 */
export interface Reconciler {
  kind: TaskKind;
  /** When to check a converged object again. */
  resyncEveryMs: number;
  reconcile(objectId: string, ctx: ReconcileContext): Promise<Outcome>;
  /** Records for users why the object could not be reconciled. */
  recordFailure?(objectId: string, failure: Failure, ctx: ReconcileContext): Promise<void>;
}

export type ReconcileContext = {
  db: Db;
  task: ClaimedTask;
  log: Log;
  /** Aborts when the lease is lost, time is up, or the controller stops. */
  signal: AbortSignal;
  now: () => Date;
  /** Names the step just completed: for the error of the next one, and for tests that stop there. */
  passed: (step: string) => Promise<void>;
  /** Counts what a driver had to change of a spec that had been fully applied before. */
  countCorrections: (corrections: number) => void;
};

export type Failure = { error: unknown; terminal: boolean };
