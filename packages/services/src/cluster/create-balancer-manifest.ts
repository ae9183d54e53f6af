import { conflict } from "@fairlead/domain";
import {
  type BalancerManifest,
  type CreateBalancerManifest,
  writeBalancerManifest,
} from "@fairlead/domain/load-balancer";
import { authorize, type ServiceContext } from "../context.ts";
import { createEnrollmentToken } from "../enrollment-token/index.ts";
import { loadCluster } from "./get.ts";

/** The drain time of a cluster that sets none. */
const usualDrainSeconds = 30;

/**
 * createBalancerManifest returns a manifest that runs our balancers as pods of a Kubernetes cluster, with a token by
 * which its nodes join. Only this answer ever holds the token.
 */
export async function createBalancerManifest(
  ctx: ServiceContext,
  { id, expiresInMinutes, ...spec }: CreateBalancerManifest,
): Promise<BalancerManifest> {
  authorize(ctx, "node:write");
  const cluster = await loadCluster(ctx.db, ctx.organizationId, id);
  if (cluster.kind !== "kubernetes")
    throw conflict(`${cluster.name} is no Kubernetes cluster: enrol its machines with the command under Nodes.`);
  const {
    token,
    command: _,
    installCommand: __,
    ...stored
  } = await createEnrollmentToken(ctx, {
    ...{ clusterId: id, reusable: true, roles: ["balancer", "speaker"], expiresInMinutes },
  });
  const manifest = writeBalancerManifest({
    ...spec,
    ...{
      controlPlane: ctx.settings.gatewayUrl,
      token,
      drainSeconds: cluster.routing?.drainSeconds ?? usualDrainSeconds,
    },
  });
  return { token: stored, manifest };
}
