import type { Lacks } from "./offer.ts";

/** boughtFrom is what a balancer lacks that a provider runs, with whatever else this one does. */
export function boughtFrom(provider: string, more: Lacks = {}): Lacks {
  return {
    "per-replica-addresses": "it has one address for all replicas, so each would need one of its own",
    "no-lock-in": `nobody but ${provider} has it`,
    "on-premises": `it runs at ${provider} alone`,
    ...more,
  };
}

/** Of what ends connections and opens others. */
export const clientInHeader = "backends see its own address, and the client's in a header at most";
export const addressChanges = "its addresses change as it grows";
