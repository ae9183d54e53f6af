import { isSix } from "../address/family.ts";
import { engineSpecOf } from "../exposure/delivery.ts";
import type { DesiredExposure } from "../exposure/exposure-state.ts";

/**
 * reachInstance picks the address by which a balancer of ours reaches an instance: one of its own family. Only a proxy speaks
 * to a backend in another than its clients do. Without an address of its own any will do.
 */
export function reachInstance(
  { strategy, cluster }: Pick<DesiredExposure, "strategy" | "cluster">,
  own: string | null,
  of: readonly string[],
): string | undefined {
  if (own === null) return of[0];
  const same = of.find((each) => isSix(each) === isSix(own));
  return same ?? (engineSpecOf(strategy, [], cluster.kind).delivery === "proxy" ? of[0] : undefined);
}
