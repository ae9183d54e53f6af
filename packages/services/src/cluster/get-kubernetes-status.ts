import type { KubernetesStatus } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { loadOne } from "../control/load-one.ts";

const source = {
  from: "kubernetes_status_view",
  columns: [
    "clusterId",
    "phase",
    "message",
    "version",
    "permissions",
    "observedAt",
    "since",
  ] as const satisfies readonly (keyof KubernetesStatus)[],
};

/** getKubernetesStatus says how a cluster's API was found, and what of it is allowed. */
export async function getKubernetesStatus(ctx: ServiceContext, clusterId: string): Promise<KubernetesStatus> {
  authorize(ctx, "cluster:read");
  return loadOne<KubernetesStatus>(ctx.db, "attached Kubernetes cluster", source, ctx.organizationId, clusterId);
}
