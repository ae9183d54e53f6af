import { conflict, DomainError, invalid } from "@fairlead/domain";
import {
  applyChange,
  completeFigures,
  loadOf,
  type MeasuredService,
  nodesNamedIn,
  type SimulatedService,
  type SimulatorResult,
  toPlan,
  toPrediction,
  type WhatIf,
  type WhatIfChange,
} from "@fairlead/domain/exposure";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadExposure } from "../get.ts";
import { selectEntries } from "./measured.sql.ts";
import type { Simulator } from "./simulator.ts";
import { describeMissing, toMeasured } from "./to-measured.ts";

/** predictWhatIf predicts how an exposure with the strategy adaptive behaves after a change, from what its agents report. */
export async function predictWhatIf(ctx: ServiceContext, id: string, change: WhatIfChange): Promise<WhatIf> {
  authorize(ctx, "exposure:read");
  const { strategy } = await loadExposure(ctx.db, ctx.organizationId, id);
  if (strategy.type !== "adaptive")
    throw conflict(`Only exposures with the strategy adaptive can be predicted, and this one has ${strategy.type}.`);
  const { simulator } = ctx;
  if (!simulator)
    throw new DomainError("unavailable", "This installation has no simulator, so nothing can be predicted.");
  const measured = toMeasured(await selectEntries(ctx.db, id), change);
  if (!measured)
    throw change.port === undefined ? conflict(describeMissing(change)) : invalid(["port"], describeMissing(change));
  const { service, assumptions } = completeFigures(measured, nodesNamedIn(change));
  const changed = applyChange(service, change);
  const [before, after] = await simulateBoth(simulator, `${ctx.actor.kind} ${ctx.actor.id}`, [service, changed]);
  return {
    ...{ port: measured.port, protocol: measured.protocol, assumptions },
    now: toPrediction(service, before),
    changed: toPrediction(changed, after),
    observedAt: oldestOf(measured) ?? ctx.now,
  };
}

/** simulateBoth simulates what isn't overloaded: there, requests would wait the longer the longer the simulation. */
async function simulateBoth(
  simulator: Simulator,
  caller: string,
  services: readonly [SimulatedService, SimulatedService],
): Promise<[SimulatorResult | null, SimulatorResult | null]> {
  const [isFirst, isSecond] = services.map((each) => loadOf(each) < 1);
  const plans = services.filter((each) => loadOf(each) < 1).map(toPlan);
  const results = plans.length > 0 ? await simulator(caller, plans) : [];
  const [first = null, second = null] = results;
  return [isFirst ? first : null, isSecond ? (isFirst ? second : first) : null];
}

function oldestOf({ nodes }: MeasuredService): Date | null {
  const times = nodes.flatMap((each) => each.observedAt ?? []);
  return times.length > 0 ? new Date(Math.min(...times.map(Number))) : null;
}
