import type { Tx } from "@fairlead/db";
import { type CarriedSummary, summarizeCarried } from "@fairlead/domain";
import { recordLoadBalancer, recordObservedExposure } from "@fairlead/services";
import type { Decision } from "./decide.ts";
import { readSaid, writeHealth } from "./read-said.sql.ts";
import { tellStreams } from "./tell-streams.ts";

/** recordCarried writes how an exposure stands that our own agents carry: whole, and for whom it concerns. */
export async function recordCarried(
  tx: Tx,
  { placed, standing, isNews, lack, unseen }: Decision,
  now: Date,
): Promise<void> {
  const said = await readSaid(tx, placed);
  const otherHealth = await writeHealth(tx, said, now);
  const wanted = placed.loadBalancers.filter((each) => !each.deletedAt);
  const summaries = wanted.map(({ id, address }) => ({
    id,
    address,
    summary: summarizeCarried(
      {
        id,
        address,
        replicas: said.replicas.filter((each) => each.loadBalancerId === id),
        backends: said.backends.filter((each) => each.loadBalancerId === id),
      },
      standing,
      { lack, unseen },
    ),
  }));
  const changed: string[] = [];
  for (const { id, address, summary } of summaries) {
    const { phase, message, replicasReady, backendsUp, backendsTotal } = summary;
    const status = { phase, message, address, replicasReady, backendsUp, backendsTotal };
    const looksDifferent = await recordLoadBalancer(tx, id, status, now);
    if (looksDifferent || isNews || otherHealth) changed.push(id);
  }
  await tellStreams(tx, placed, changed);
  const [first] = summaries;
  if (!first) return;
  // Such a wish has one balancer, so that is how the exposure stands.
  const { phase, message, conditions }: CarriedSummary = first.summary;
  const { generation } = placed;
  await recordObservedExposure(
    tx,
    placed.id,
    { generation, phase, message, conditions, applied: true, loadBalancers: [] },
    now,
  );
}
