import type { Billing } from "../meter/billing.ts";
import type { StepCharge } from "./balancer-costs.ts";

export type Billed = Extract<Billing, { as: "bought" | "machines" }>;

/** FocusService is a service of a provider, by the categories that FOCUS 1.2 allows. */
type FocusService = { name: string; category: "Networking" | "Compute"; subcategory: string };

/** focusServiceOf returns the bought load balancer, or the machines of ours and their network. */
export function focusServiceOf(billing: Billed, { follows }: Pick<StepCharge, "follows">): FocusService {
  if (billing.as === "bought")
    return { name: billing.offer.product, category: "Networking", subcategory: "Application Networking" };
  if (follows !== "machine")
    return { name: "Network of machines", category: "Networking", subcategory: "Network Connectivity" };
  return billing.provider === "own"
    ? { name: "Own machines", category: "Compute", subcategory: "Other (Compute)" }
    : { name: "Machines", category: "Compute", subcategory: "Virtual Machines" };
}
