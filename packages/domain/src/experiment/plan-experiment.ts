import { chanceOf, pick } from "./chance.ts";
import type { ExperimentReplica } from "./experiment.ts";

/** ExperimentProgress is all that decides what an experiment does next. */
export type ExperimentProgress = {
  startedAt: Date;
  changeEverySeconds: number;
  lastsSeconds: number;
  fewestReplicas: number;
  seed: number;
  replicas: readonly ExperimentReplica[];
  /** Agents that are to leave now. */
  drained: readonly string[];
  /** Of the last change that was made; null before the first. */
  lastNumber: number | null;
  /** Why the replica count isn't the experiment's alone any more; null while it is. */
  trouble: string | null;
};

export type ExperimentPlan =
  | { type: "end"; state: "finished" | "failed"; reason: string }
  | { type: "change"; number: number; drained: string[] }
  | { type: "wait"; until: Date };

/**
 * planExperiment says what an experiment does now. Changes that fell due while nobody looked are left out, not made up
 * for, so that one which was interrupted goes on in its own time.
 */
export function planExperiment(progress: ExperimentProgress, now: Date): ExperimentPlan {
  const { startedAt, changeEverySeconds, lastsSeconds, lastNumber, trouble } = progress;
  if (trouble !== null) return { type: "end", state: "failed", reason: trouble };
  const sinceMs = now.getTime() - startedAt.getTime();
  if (sinceMs >= lastsSeconds * 1_000) return { type: "end", state: "finished", reason: "" };
  const everyMs = changeEverySeconds * 1_000;
  const number = Math.floor(sinceMs / everyMs);
  if (number > (lastNumber ?? 0)) {
    const drained = chooseDrained(progress, number);
    if (drained) return { type: "change", number, drained };
  }
  const nextMs = Math.min((number + 1) * everyMs, lastsSeconds * 1_000);
  return { type: "wait", until: new Date(startedAt.getTime() + nextMs) };
}

/** Where addresses are announced by few, not every choice leaves each of them enough. */
const mostTries = 50;

/** chooseDrained makes one choice for one number: another replica count than now, by moving as few as that takes. */
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

/** Every prefix keeps as many as have to serve, or all it has. */
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

/** KernelSight is what routers' kernels do with the replicas of an experiment. */
export type KernelSight = {
  /** Agents that some route goes to. */
  replicas: string[];
  /** The newest change of any of the routes, by its router's clock; null where there is none. */
  changedAt: Date | null;
  /** Whether every route at every router goes to those that serve, and to no other. */
  isAsked: boolean;
};

/** sightOf compares the routes of kernels with who is asked to serve. */
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
  const isAsked =
    routerIds.length > 0 &&
    routerIds.every((routerId) =>
      prefixes.every((prefix) => isSame(hopsOf(serving, prefix), [...(at.get(`${routerId} ${prefix}`) ?? [])].sort())),
    );
  const seen = replicas.filter(({ hops }) => routes.some((route) => route.hops.includes(hops[route.prefix] ?? "")));
  const changes = routes.map((each) => each.changedAt.getTime());
  return {
    replicas: seen.map((each) => each.agentId),
    changedAt: changes.length > 0 ? new Date(Math.max(...changes)) : null,
    isAsked,
  };
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((each, i) => each === b[i]);
