import { applyChange } from "./apply-change.ts";
import { completeFigures } from "./complete-figures.ts";
import { describeFew } from "./describe-few.ts";
import type { MeasuredService } from "./measured-service.ts";
import { loadOf } from "./simulated-service.ts";
import { type SimulatorPlan, type SimulatorResult, toPlan } from "./to-plan.ts";
import { toPrediction } from "./to-prediction.ts";
import { nodesNamedIn, type WhatIf, type WhatIfChange } from "./what-if.ts";

export type PredictFrom = {
  measured: MeasuredService;
  change: WhatIfChange;
  /** Nodes that aren't in measured. */
  leftOut: number;
  simulate: (plans: readonly SimulatorPlan[]) => Promise<readonly SimulatorResult[]>;
  now: Date;
};

/** predictFrom predicts what a change does to a service, from what agents report of it. */
export async function predictFrom({ measured, change, leftOut, simulate, now }: PredictFrom): Promise<WhatIf> {
  const { service, assumptions, observedAt } = completeFigures(measured, nodesNamedIn(change), leftOut);
  const changed = applyChange(service, change);
  // What is overloaded isn't simulated: there, requests would wait the longer the longer the simulation.
  const plans = [service, changed].map((each) => (loadOf(each) < 1 ? toPlan(each) : null));
  const simulated = plans.flatMap((plan) => plan ?? []);
  const results = simulated.length > 0 ? [...(await simulate(simulated))] : [];
  const [before, after] = plans.map((plan) => (plan && results.shift()) ?? null);
  return {
    ...{ port: measured.port, protocol: measured.protocol },
    now: toPrediction(service, before ?? null),
    changed: toPrediction(changed, after ?? null),
    observedAt: observedAt ?? now,
    assumptions: [...assumptions, ...describeFew(simulated)],
  };
}
