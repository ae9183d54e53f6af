import { type Delivery, engines } from "./engines.ts";

/** The engine that can place connections from outside by cost: see docs/decisions/0052-costs-for-clients-outside.md. */
export const costEngine = "tcx";

/** How it can deliver packets. */
export const costDeliveries = engines[costEngine].deliveries satisfies readonly Delivery[];

/** How long an instance that is being removed drains, if the spec doesn't set it. */
export const adaptiveDrainSeconds = 60;
