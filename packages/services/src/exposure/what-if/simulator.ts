import type { SimulatorPlan, SimulatorResult } from "@fairlead/domain/exposure";

/** Simulator runs plans for one caller, who may have one run at a time. It throws a DomainError if it can't. */
export type Simulator = (caller: string, plans: readonly SimulatorPlan[]) => Promise<SimulatorResult[]>;
