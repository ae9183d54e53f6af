import type { Tx } from "@fairlead/db";
import {
  type DesiredExposure,
  engineSpecOf,
  enginesFor,
  explainOmitted,
  namedBalancerOf,
  type ObservedInstance,
  type Omitted,
  packetEngines,
  serverNameOf,
} from "@fairlead/domain/exposure";
import { instanceBalancerOf } from "@fairlead/domain/load-balancer";
import { loadDesiredExposure } from "@fairlead/services";
import { gone, type Outcome } from "../../../outcome.ts";
import { type ExposureHead, findExposureHead } from "../exposure-head.sql.ts";
import { contribute } from "./contribute.ts";
import { giveBalancers } from "./give-balancers.ts";
import { keepDecided } from "./keep-decided.ts";
import { place } from "./place.ts";
import { seenInstances } from "./seen-instances.ts";
import { type BackendInstance, type Behind, setBackends } from "./set-backends.ts";
import { takeDown } from "./take-down.ts";
import type { Terms } from "./terms.ts";

/** problems are what balancers lack, by their ids. */
export type Single = {
  /** How many more there are than one exposure may have. */
  surplus: number;
  problems: ReadonlyMap<string, string>;
  /** A part of them was just created: agents that report meanwhile can't have it yet. */
  isFresh: boolean;
  /** When the next balancer has waited long enough for its instance. */
  nextInMs: number | null;
};

/** Decision is the desired placement from now on. */
export type Decision = {
  placed: DesiredExposure;
  /** The state before. */
  head: ExposureHead;
  /** It is as decided before the pause. */
  isPaused: boolean;
  /** The agents' configs must change for it. */
  isNews: boolean;
  /** What to do about a replica that has no agent. */
  lack: string;
  /** Which instances get no traffic through the one balancer for all; empty when there are none. */
  omitted: string;
  /** Why its instances are unknown; empty when they are known. */
  unseen: string;
  /** The instances that are mapped, by name; null while they are unknown, or where any of them answers for all. */
  instances: ReadonlyMap<string, ObservedInstance> | null;
  /** Of balancers of single instances; null where there is one for all. */
  single: Single | null;
  /** When the backends change next by time alone; null when never. */
  nextAt: Date | null;
  /** When a silent agent is to be given up; null while none is silent. */
  judgeInMs: number | null;
};

/** decide places replicas and backends, and marks the configs that this changes. */
export async function decide(tx: Tx, id: string, terms: Terms): Promise<Decision | Outcome> {
  const found = await loadDesiredExposure(tx, id);
  const head = await findExposureHead(tx, id);
  if (!found || !head) return gone;
  if (found.deletedAt) return takeDown(tx, found, head, terms);
  if (head.pausedAt) return keepDecided(tx, found, head, terms.outside);
  const { desired, behind, single, instances, surplus, unnamed } = await decideInstances(tx, found, terms);
  const { placed, unsuited, judgeInMs } = await place(tx, desired, terms.presentForMs);
  const { nextAt, leftOut } = await setBackends(tx, desired, behind, terms);
  const isNews = await contribute(tx, placed, head, terms.now);
  const { unseen } = terms.outside;
  const lack = lackOf(placed, unsuited);
  const omitted = single ? "" : explainOmitted(found.workload, { surplus, leftOut, unnamed });
  return { placed, head, isPaused: false, isNews, lack, omitted, unseen, instances, single, nextAt, judgeInMs };
}

type Instances = Pick<Decision, "single" | "instances"> &
  Pick<Omitted, "surplus" | "unnamed"> & { desired: DesiredExposure; behind: Behind };

/**
 * decideInstances assigns instances to balancers: all to a balancer for all, one to a balancer of its own; and lists
 * which are mapped.
 */
async function decideInstances(tx: Tx, found: DesiredExposure, { now, outside }: Terms): Promise<Instances> {
  const spec = instanceBalancerOf(found.strategy);
  const named = namedBalancerOf(found.strategy);
  const { rows, instances, byName, surplus } = await seenInstances(tx, found, outside);
  const all = { desired: found, single: null, surplus: 0, unnamed: [] };
  if (!spec && !named) return { ...all, behind: () => rows, instances: null };
  if (!spec) {
    const { reached, unnamed } = splitByName(instances ?? [], named?.zone ?? null);
    const behind = () => instances && reached.flatMap(toBackends);
    return { ...all, behind, instances: byName, surplus, unnamed };
  }
  const { desired, ...given } = await giveBalancers(tx, found, spec, instances, now);
  return {
    desired,
    behind: ({ instance }) => byName && toBackends(byName.get(instance ?? "")),
    single: { surplus, ...given },
    instances: byName,
    surplus,
    unnamed: [],
  };
}

/** splitByName separates the instances that have no valid name in the DNS zone. */
function splitByName(instances: readonly ObservedInstance[], zone: string | null) {
  const isNamed = ({ name }: ObservedInstance) => zone === null || serverNameOf(name, zone) !== null;
  const unnamed = instances.filter((each) => !isNamed(each)).map((each) => each.name);
  return { reached: instances.filter(isNamed), unnamed };
}

function toBackends(instance: ObservedInstance | undefined): BackendInstance[] {
  if (!instance?.place) return [];
  const { name, ready, place } = instance;
  return [{ name, ready, addresses: place.addresses, weight: 1 }];
}

function lackOf({ strategy, ports, cluster }: DesiredExposure, unsuited: string): string {
  const engines = enginesFor(engineSpecOf(strategy, ports, cluster.kind));
  const which = engines.length < packetEngines.length ? ` that may run ${engines.join(" or ")}` : "";
  const sentences = [
    `each takes a live agent of the role balancer in ${cluster.name}${which}.`,
    ...(unsuited ? [unsuited] : []),
  ];
  return sentences.join(" ");
}
