import { setTimeout as sleep } from "node:timers/promises";
import type { Compared, Count, Took, What } from "./judge.ts";
import { type Mood, type NamespaceCluster, openNamespaceCluster } from "./namespace-cluster.ts";
import { attach, expose, MapReader, residentMb } from "./product.ts";
import { createSet, type Rig, scaleSet, tookOf, waitFor } from "./rig.ts";

export type ClustersSize = {
  nodes: number;
  clusters: number;
  unreachable: number;
  rounds: number;
  everyMs: number;
  settledMs: number;
};

type Place = { namespace: string; cluster: NamespaceCluster; reader: MapReader; replicas: number };
type Kind = "well" | "troubled";

/** Two don't respond, two break off responses, one refuses connections; then repeat. */
const moods: Mood[] = ["silent", "cutting", "refusing", "silent", "cutting"];
const compared: What[] = ["running", "mapped", "whole"];

/**
 * measureClusters follows many clusters at once. The healthy ones grow by one instance per round, alternately while all other
 * clusters are healthy and while some are unreachable.
 */
export async function measureClusters(
  rig: Rig,
  token: string,
  size: ClustersSize,
): Promise<{ subject: string; counts: Count[]; compared: Compared[]; took: Took[] }> {
  const { stack } = rig;
  const subject = `${size.clusters - size.unreachable} of ${size.clusters} clusters`;
  const pid = stack.pids.controller ?? 0;
  const counts: Count[] = [{ subject, what: "before", value: residentMb(pid) }];
  const places: Place[] = [];
  try {
    for (let i = 0; i < size.clusters; i++) places.push(await openPlace(rig, token, i));
    const readers = places.map((each) => each.reader);
    await waitFor("a mapping in each cluster", () => readers.every((each) => each.readyAt.size === 1), 120_000);
    const bad = places.slice(0, size.unreachable);
    const good = places.slice(size.unreachable);
    const rounds: Record<Kind, Took[][]> = { well: [], troubled: [] };
    for (let round = 0; round < size.rounds * 2; round++) {
      const kind: Kind = round % 2 === 0 ? "well" : "troubled";
      await Promise.all(
        bad.map(({ cluster }, i) => cluster.feel(kind === "well" ? "well" : (moods[i % moods.length] ?? "silent"))),
      );
      // Until the failures are detected and retries have reached their usual interval.
      await sleep(size.settledMs);
      rounds[kind].push(await grow(rig, subject, good, size.everyMs));
      if (round === 1) counts.push({ subject, what: "at full size", value: residentMb(pid) });
    }
    return {
      subject,
      counts,
      took: rounds.well.flat(),
      compared: compared.map((what) => ({
        subject,
        what,
        well: rounds.well.map((each) => msOf(each, what)),
        troubled: rounds.troubled.map((each) => msOf(each, what)),
      })),
    };
  } finally {
    await Promise.all(places.map(({ reader }) => reader.stop()));
    await Promise.all(places.map(({ cluster }) => cluster.stop()));
  }
}

async function openPlace(rig: Rig, token: string, i: number): Promise<Place> {
  const { control, stack } = rig;
  const namespace = await createSet(rig, "app", 1);
  const cluster = await openNamespaceCluster(control, namespace);
  const id = await attach(stack, `site-${i}`, control.kubeconfigFor({ token }, { url: cluster.url }));
  const exposureId = await expose(stack, id, namespace, "app");
  return { namespace, cluster, reader: new MapReader(stack, exposureId), replicas: 1 };
}

async function grow(rig: Rig, subject: string, places: Place[], everyMs: number): Promise<Took[]> {
  const began = performance.now();
  for (const [i, place] of places.entries()) {
    await scaleSet(rig, place.namespace, "app", ++place.replicas);
    await sleep(Math.max(0, began + (i + 1) * everyMs - performance.now()));
  }
  const missing = () =>
    places.filter(({ reader, replicas }) => reader.entries.filter((each) => each.ready).length < replicas);
  await waitFor("the mappings of a round", () => missing().length === 0, 60_000).catch((cause: unknown) => {
    const lacks = missing().map((each) => `${each.namespace}: ${each.reader.entries.length} of ${each.replicas}`);
    throw new Error(`a round lacks ${lacks.join(", ")}`, { cause });
  });
  return places.flatMap(({ namespace, reader, replicas }) => {
    reader.check();
    return tookOf(subject, rig, { namespace, names: [`app-${replicas - 1}`], reader });
  });
}

function msOf(took: Took[], what: What): number[] {
  return took.filter((each) => each.what === what).map((each) => each.ms);
}
