import type { KubernetesStatus } from "@fairlead/domain/kubernetes";
import { authorize, type ServiceContext } from "../context.ts";
import { loadOne } from "../control/load-one.ts";
import { kubernetesStatusSource } from "./rows.ts";

/** getKubernetesStatus returns the last check of a cluster's API, and its permissions. */
export async function getKubernetesStatus(ctx: ServiceContext, clusterId: string): Promise<KubernetesStatus> {
  authorize(ctx, "cluster:read");
  return loadOne<KubernetesStatus>(
    ctx.db,
    "attached Kubernetes cluster",
    kubernetesStatusSource,
    ctx.organizationId,
    clusterId,
  );
}
