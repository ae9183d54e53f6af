import type { Tx } from "@fairlead/db";
import {
  type BackendTimes,
  type DesiredExposure,
  describeWorkload,
  enginesFor,
  engineWishOf,
  packetEngines,
} from "@fairlead/domain";
import { loadDesiredExposure } from "@fairlead/services";
import { gone, type Outcome } from "../../../outcome.ts";
import { type ExposureStanding, findStanding } from "../standing.sql.ts";
import { selectExposed } from "./backends.sql.ts";
import { contribute } from "./contribute.ts";
import { place } from "./place.ts";
import { setBackends } from "./set-backends.ts";
import { takeDown } from "./take-down.ts";

/** Decision is what should be where from now on. */
export type Decision = {
  placed: DesiredExposure;
  /** How it stood before. */
  standing: ExposureStanding;
  /** The agents' configs have to change for it. */
  isNews: boolean;
  /** What to do about a replica that has no agent. */
  lack: string;
  /** Why nothing is known of its instances; empty when it is. */
  unseen: string;
  /** When time alone changes what is behind it; null when never. */
  nextAt: Date | null;
  /** When a silent agent is to be given up; null while there is none to wait for. */
  judgeInMs: number | null;
};

/** times are those of backends; presentForMs is how long agents could have reached us; isAttached says that a cluster's API is asked. */
export type Terms = { now: Date; times: BackendTimes; presentForMs: number; isAttached: boolean };

/** decide places replicas and backends, and has the configs compiled that this changes. */
export async function decide(tx: Tx, id: string, terms: Terms): Promise<Decision | Outcome> {
  const desired = await loadDesiredExposure(tx, id);
  const standing = await findStanding(tx, id);
  if (!desired || !standing) return gone;
  if (desired.deletedAt) return takeDown(tx, desired, standing, terms);
  const { placed, unsuited, judgeInMs } = await place(tx, desired, terms.presentForMs);
  const { nextAt, leftOut } = await setBackends(tx, desired, await selectExposed(tx, id), terms);
  const isNews = await contribute(tx, placed, standing, terms.now);
  const unseen = unseenOf(placed.cluster, terms.isAttached);
  return { placed, standing, isNews, lack: lackOf(placed, unsuited, leftOut), unseen, nextAt, judgeInMs };
}

function unseenOf({ name, kind }: DesiredExposure["cluster"], isAttached: boolean): string {
  if (kind !== "kubernetes" || isAttached) return "";
  return `${name} is not attached, so its pods are not known: give its kubeconfig.`;
}

function lackOf({ strategy, ports, cluster, workload }: DesiredExposure, unsuited: string, leftOut: number): string {
  const engines = enginesFor(engineWishOf(strategy, ports));
  const which = engines.length < packetEngines.length ? ` that may run ${engines.join(" or ")}` : "";
  const sentences = [
    `each takes a live agent of the role balancer in ${cluster.name}${which}.`,
    ...(unsuited ? [unsuited] : []),
    ...(leftOut > 0 ? [`${leftOut} instances of ${describeWorkload(workload)} find no room.`] : []),
  ];
  return sentences.join(" ");
}
