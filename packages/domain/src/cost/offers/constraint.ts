import { z } from "zod";

/** Constraint is what a balancer must be able to do, whatever it costs. */
export const constraints = [
  "session-persistence",
  "client-source-address",
  "per-replica-addresses",
  "static-ip",
  "no-lock-in",
  "on-premises",
] as const;
export const constraint = z.enum(constraints).meta({ id: "CostConstraint" });
export type Constraint = z.infer<typeof constraint>;
