import { planExposure, reachedBy } from "@fairlead/domain/exposure";
import { explainUnshared, type UnsharingAgent } from "@fairlead/domain/load-balancer";
import { type MovePreview, type PreviewMove, usualSteps } from "@fairlead/domain/move";
import { authorize, type ServiceContext } from "../context.ts";
import { countMatching, findUnsharingAgent } from "../exposure/placement-state.sql.ts";
import { priceExposure } from "../usage/plan-cost.ts";
import { checkMove, type MoveEnds } from "./check.ts";

/** previewMove shows what startMove would do, and refuses what it would refuse. */
export async function previewMove(ctx: ServiceContext, { currency, ...input }: PreviewMove): Promise<MovePreview> {
  authorize(ctx, "exposure:read");
  const ends = await checkMove(ctx.db, ctx, input);
  const { from, to, exposure } = ends;
  const workload = input.workload ?? exposure.workload;
  const counts = {
    from: await countMatching(ctx.db, from.id, exposure.workload),
    to: await countMatching(ctx.db, to.id, workload),
  };
  const { steps = usualSteps, watchSeconds } = input;
  return {
    fromClusterName: from.name,
    toClusterName: to.name,
    steps: steps.map((share, i) => ({ share, afterSeconds: i * watchSeconds })),
    leastSeconds: steps.length * watchSeconds,
    cost: await costOf(ctx, ends, currency),
    breaks: breaksOf(ends, await findUnsharingAgent(ctx.db, [from.id, to.id])),
    warnings: [...warningsOf(ends, counts), ...planExposure(exposure, reachedBy(to)).warnings],
  };
}

/** While it moves, both clusters run its balancers, but it has one address. */
async function costOf(
  ctx: ServiceContext,
  { exposure, from, to }: MoveEnds,
  currency: string,
): Promise<MovePreview["cost"]> {
  const address = exposure.addresses[0] ?? null;
  const before = await priceExposure(ctx, { spec: exposure, cluster: from, address, currency });
  const after = await priceExposure(ctx, { spec: exposure, cluster: to, address, currency });
  const second = await priceExposure(ctx, { spec: exposure, cluster: to, address: null, currency });
  const [a, b] = [before.hourlyMicros, second.hourlyMicros];
  const reasons = [...new Set([before.reason, after.reason].filter((each) => each !== ""))];
  return {
    currency,
    hasPriceBook: before.hasPriceBook,
    beforeHourlyMicros: a,
    duringHourlyMicros: a === null || b === null ? null : a + b,
    afterHourlyMicros: after.hourlyMicros,
    reason: reasons.join(" "),
  };
}

function breaksOf({ exposure, from, to }: MoveEnds, unsharing: UnsharingAgent | null): string[] {
  const { name } = exposure;
  const unshared = explainUnshared(exposure.strategy, [from, to], unsharing);
  return [
    unshared === ""
      ? `At each step, routers send a part of the connections to the balancers of ${to.name} instead. These know them, and keep them at their instances in ${from.name}, if they reach them.`
      : `${unshared} A router with a resilient group moves no more of them than the shares require.`,
    `At 100 %, the remaining connections at ${from.name} have the usual time to drain, then they end.`,
    `The address of ${name} stays the same, and stays in its pool of ${from.name}: that pool and ${from.name} can't be deleted while ${name} has it.`,
  ];
}

function warningsOf({ from, to }: MoveEnds, counts: { from: number; to: number }): string[] {
  if (counts.to >= counts.from) return [];
  return [
    `${to.name} has ${counts.to} ${counts.to === 1 ? "instance" : "instances"} of the workload, and ${from.name} has ${counts.from}: start more before ${to.name} gets all connections.`,
  ];
}
