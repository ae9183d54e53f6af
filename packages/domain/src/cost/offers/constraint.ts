import { z } from "zod";

/** Constraint is something that a balancer must be able to do, regardless of cost. */
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
