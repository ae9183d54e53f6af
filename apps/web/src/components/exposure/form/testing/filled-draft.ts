import { type ExposureDraft, emptyDraft, emptyPort } from "../draft.ts";

export const clusterId = "clu_01kav3x0zq8w4m2n6r5t7y9b1c";
export const poolId = "pool_01kav3x0zq8w4m2n6r5t7y9b1c";

/** A complete form of the strategy ecmp. */
export function filled(change: Partial<ExposureDraft> = {}): ExposureDraft {
  const ports = [{ ...emptyPort([]), port: "443", targetPort: "8443" }];
  return { ...emptyDraft(clusterId), name: "shop", workloadName: "shop-web", ports, poolId, ...change };
}
