import { createHash } from "node:crypto";
import { canonicalJson } from "@fairlead/domain";
import type { DesiredExposure } from "@fairlead/domain/exposure";

/** specDigest is equal for equal specs: labels and generations don't affect the outside. */
export function specDigest({ name, workload, ports, strategy, loadBalancers }: DesiredExposure): string {
  const requested = loadBalancers.map(({ instanceGoneAt: _, ...each }) => each);
  return createHash("sha256")
    .update(canonicalJson({ name, workload, ports, strategy, loadBalancers: requested }))
    .digest("hex");
}
