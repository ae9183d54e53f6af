import type { KubernetesStatus } from "@fairlead/domain/kubernetes";
import { authorize, type ServiceContext } from "../context.ts";
import { loadOne } from "../control/load-one.ts";
import { kubernetesStatusSource } from "./rows.ts";

/** getKubernetesStatus says how a cluster's API was found, and what of it is allowed. */
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
