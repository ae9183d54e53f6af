import { DomainError } from "@fairlead/domain";
import { cloudMetrics, cloudMetricsReadEveryMs } from "@fairlead/domain/cloud";
import { type CloudMetricsDriver, type CloudMetricsFor, CloudRefused } from "@fairlead/drivers";
import type { CredentialsBox } from "@fairlead/services";
import { Partitions, SeriesIds } from "@fairlead/services/gateway";
import { DriverFailure } from "../../driver-failure.ts";
import { keepDrivers } from "../../keep-drivers.ts";
import { againAfterMs, gone } from "../../outcome.ts";
import type { ReconcileContext, Reconciler } from "../../reconciler.ts";
import { type StoredMetrics, selectMetrics } from "./load.sql.ts";
import { type Pass, readBalancers } from "./read.ts";
import { type ReadResult, recordReadResult } from "./record.ts";

export type CloudMetricsOptions = {
  box: Pick<CredentialsBox, "open">;
  random?: () => number;
  /** How long one pass may read before the next one starts from the database again. */
  passMs?: number;
};

const lastAgainMs = 15 * 60_000;

/**
 * cloudMetricsReconciler reads what a cloud measured of the load balancers that it runs for a cluster, each minute,
 * into their series. The sealed credentials are opened here, on their way to the driver.
 */
export function cloudMetricsReconciler(
  metricsFor: CloudMetricsFor,
  { box, random = Math.random, passMs = 60_000 }: CloudMetricsOptions,
): Reconciler {
  const kept = keepDrivers<CloudMetricsDriver>();
  const store = { partitions: new Partitions(), seriesIds: new SeriesIds() };

  async function read(
    clusterId: string,
    stored: StoredMetrics,
    ctx: ReconcileContext,
  ): Promise<Pass | ReadResult | null> {
    try {
      const settings = cloudMetrics.parse(stored.settings);
      const { credentials } = stored;
      return await kept(
        [clusterId, settings, credentials],
        () => metricsFor(settings, box.open(credentials)),
        (driver) => readBalancers(clusterId, stored, { driver, store, passMs }, ctx),
      );
    } catch (error) {
      ctx.signal.throwIfAborted();
      const failure = failureOf(error);
      if (!failure) throw error;
      return failure;
    }
  }

  return {
    kind: "cloud-metrics",
    resyncEveryMs: cloudMetricsReadEveryMs,
    async reconcile(clusterId, ctx) {
      const stored = await selectMetrics(ctx.db, clusterId);
      if (!stored) return gone;
      const went = await read(clusterId, stored, ctx);
      if (!went) return againAfterMs(0);
      const result = "phase" in went ? went : readResultOf(went);
      const since = await recordReadResult(clusterId, stored, result, ctx);
      await ctx.passed("recorded");
      if (since === null || ("hasMore" in went && went.hasMore)) return againAfterMs(0);
      if (result.read) return againAfterMs(cloudMetricsReadEveryMs);
      // The longer it is unreachable, the less often it is called; random, so that those that failed together spread
      // out.
      const awayMs = ctx.now().getTime() - since.getTime();
      const pauseMs = Math.min(lastAgainMs, Math.max(cloudMetricsReadEveryMs, awayMs / 2));
      return againAfterMs(Math.round(pauseMs * (0.8 + 0.4 * random())));
    },
  };
}

function readResultOf({ total, problems }: Pass): ReadResult {
  const [first] = problems;
  if (first === undefined) return { phase: "reading", message: "", read: true };
  const { name, problem } = first;
  const one = `${name} isn't read, or not whole`;
  const which = problems.length === 1 ? one : `${problems.length} aren't read, or not whole; ${name}, for one`;
  return { phase: "partial", message: sentence(`of ${countOf(total)}, ${which}: ${problem}`), read: true };
}

function countOf(total: number): string {
  return total === 1 ? "one load balancer" : `${total} load balancers`;
}

/** failureOf describes a failure that the cloud or the settings caused; null for a failure of ours. */
function failureOf(error: unknown): ReadResult | null {
  const cause = error instanceof DriverFailure ? error.cause : error;
  // A secret that can't be opened must be set again by a user.
  if (cause instanceof CloudRefused || cause instanceof DomainError)
    return { phase: "refused", message: sentence(cause.message), read: false };
  if (!(error instanceof DriverFailure)) return null;
  return { phase: "unreachable", message: sentence(error.message), read: false };
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!]$/.test(words) ? "" : "."}`;
}
