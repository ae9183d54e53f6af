import type { SimulatorPlan, SimulatorResult } from "@fairlead/domain/exposure";

/** Who requests a prediction: a user or an API key, of an organization. */
export type SimulatorCaller = { id: string; organizationId: string };

/** Simulator runs plans for one caller, who may have one run at a time. It throws a DomainError if it can't. */
export type Simulator = (caller: SimulatorCaller, plans: readonly SimulatorPlan[]) => Promise<SimulatorResult[]>;
