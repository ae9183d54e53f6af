import { isSix } from "../address/family.ts";
import { engineSpecOf } from "../exposure/delivery.ts";
import type { DesiredExposure } from "../exposure/exposure-state.ts";

/**
 * reachInstance picks the address through which a balancer of ours reaches an instance: one of the balancer's own family.
 * Only a proxy can use another family. If the balancer has no address yet, the first one is used.
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
