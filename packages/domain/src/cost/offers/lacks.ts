import type { Lacks } from "./offer.ts";

/** boughtFrom returns what every balancer of a provider lacks, and what this one lacks in addition. */
export function boughtFrom(provider: string, more: Lacks = {}): Lacks {
  return {
    "per-replica-addresses": "it has one address for all replicas, so each replica would need its own balancer",
    "no-lock-in": `only ${provider} offers it`,
    "on-premises": `it only runs at ${provider}`,
    ...more,
  };
}

/** For balancers that terminate connections. */
export const clientInHeader = "backends see the balancer's address, and the client's only in a header";
export const addressChanges = "its addresses change as it grows";
