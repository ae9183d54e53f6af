import { chanceOf, pick } from "./chance.ts";
import type { ExperimentReplica } from "./experiment.ts";

/** ExperimentProgress is all that decides what an experiment does next. */
export type ExperimentProgress = {
  startedAt: Date;
  changeEverySeconds: number;
  durationSeconds: number;
  fewestReplicas: number;
  seed: number;
  replicas: readonly ExperimentReplica[];
  /** Agents that are drained now. */
  drained: readonly string[];
  /** The number of the last change; null before the first. */
  lastNumber: number | null;
  /** What else affects the replica count now; null for nothing. */
  trouble: string | null;
};

export type ExperimentPlan =
  | { type: "end"; state: "finished" | "failed"; reason: string }
  | { type: "change"; number: number; drained: string[] }
  | { type: "wait"; until: Date };

/**
 * planExperiment decides the next action of an experiment. Changes missed during an interruption are skipped, so that the
 * experiment continues on schedule.
 */
export function planExperiment(progress: ExperimentProgress, now: Date): ExperimentPlan {
  const { startedAt, changeEverySeconds, durationSeconds, lastNumber, trouble } = progress;
  if (trouble !== null) return { type: "end", state: "failed", reason: trouble };
  const sinceMs = now.getTime() - startedAt.getTime();
  if (sinceMs >= durationSeconds * 1_000) return { type: "end", state: "finished", reason: "" };
  const everyMs = changeEverySeconds * 1_000;
  const number = Math.floor(sinceMs / everyMs);
  if (number > (lastNumber ?? 0)) {
    const drained = chooseDrained(progress, number);
    if (drained) return { type: "change", number, drained };
  }
  const nextMs = Math.min((number + 1) * everyMs, durationSeconds * 1_000);
  return { type: "wait", until: new Date(startedAt.getTime() + nextMs) };
}

/** Limits retries: if few replicas announce an address, some choices leave too few of them. */
const mostTries = 50;

/** chooseDrained picks another replica count, the same for the same number, and changes as few replicas as possible. */
function chooseDrained(progress: ExperimentProgress, number: number): string[] | null {
  const { replicas, drained, fewestReplicas } = progress;
  const chance = chanceOf((Math.imul(progress.seed, 0x9e3779b1) ^ Math.imul(number, 0x85ebca6b)) >>> 0);
  const all = replicas.map((each) => each.agentId);
  const serving = all.filter((each) => !drained.includes(each));
  const counts = Array.from({ length: all.length - fewestReplicas + 1 }, (_, i) => fewestReplicas + i);
  for (let tries = 0; tries < mostTries; tries++) {
    const [count] = pick(
      counts.filter((each) => each !== serving.length),
      1,
      chance,
    );
    if (count === undefined) return null;
    const chosen =
      count < serving.length
        ? pick(serving, count, chance)
        : [
            ...serving,
            ...pick(
              all.filter((each) => drained.includes(each)),
              count - serving.length,
              chance,
            ),
          ];
    if (leavesEnough(progress, chosen)) return all.filter((each) => !chosen.includes(each));
  }
  return null;
}

/** Whether every prefix keeps the minimum of announcing replicas, or all of its replicas if it has fewer. */
function leavesEnough({ replicas, fewestReplicas }: ExperimentProgress, serving: readonly string[]): boolean {
  return followedPrefixes(replicas).every((prefix) => {
    const announcers = replicas.filter(({ hops }) => hops[prefix] !== undefined);
    const left = announcers.filter(({ agentId }) => serving.includes(agentId));
    return left.length >= Math.min(fewestReplicas, announcers.length);
  });
}

export function followedPrefixes(replicas: readonly Pick<ExperimentReplica, "hops">[]): string[] {
  return [...new Set(replicas.flatMap(({ hops }) => Object.keys(hops)))].sort();
}

/** KernelRoute is a followed prefix as one router's kernel has it. */
export type KernelRoute = { routerId: string; prefix: string; hops: string[]; changedAt: Date };

/** KernelSight is where routers' kernels route the traffic of an experiment. */
export type KernelSight = {
  /** Agents that at least one route leads to. */
  replicas: string[];
  /** The newest change of a route, by its router's clock; null without routes. */
  changedAt: Date | null;
  /** Whether every route at every router leads to the serving replicas and to no other. */
  isAsDesired: boolean;
};

/** sightOf compares the routes of kernels with the replicas that should serve. */
export function sightOf(
  replicas: readonly ExperimentReplica[],
  serving: readonly string[],
  routes: readonly KernelRoute[],
  routerIds: readonly string[],
): KernelSight {
  const prefixes = followedPrefixes(replicas);
  const at = new Map(routes.map((each) => [`${each.routerId} ${each.prefix}`, each.hops]));
  const hopsOf = (agentIds: readonly string[], prefix: string) =>
    replicas.flatMap(({ agentId, hops }) => (agentIds.includes(agentId) ? (hops[prefix] ?? []) : [])).sort();
  const isAsDesired =
    routerIds.length > 0 &&
    routerIds.every((routerId) =>
      prefixes.every((prefix) => isSame(hopsOf(serving, prefix), [...(at.get(`${routerId} ${prefix}`) ?? [])].sort())),
    );
  const seen = replicas.filter(({ hops }) => routes.some((route) => route.hops.includes(hops[route.prefix] ?? "")));
  const changes = routes.map((each) => each.changedAt.getTime());
  return {
    replicas: seen.map((each) => each.agentId),
    changedAt: changes.length > 0 ? new Date(Math.max(...changes)) : null,
    isAsDesired,
  };
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((each, i) => each === b[i]);
