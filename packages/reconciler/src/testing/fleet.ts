import { type Db, inTransaction } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { ClusterKind } from "@fairlead/domain/cluster";
import { type CreateExposure, createExposure as createExposureSchema } from "@fairlead/domain/exposure";
import { createExposure, loadDesiredExposure, type ServiceContext } from "@fairlead/services";
import { createTestOrganization } from "@fairlead/services/testing";

/** Fleet is an organisation with one cluster, for creating exposures through the verbs that users call. */
export type Fleet = {
  ctx: ServiceContext;
  clusterId: string;
  /** Creates an exposure whose one balancer gets its address from the provider. */
  expose: (other?: Partial<CreateExposure>) => Promise<string>;
  /** The ids of the load balancers that an exposure should have outside. */
  wanted: (exposureId: string) => Promise<string[]>;
};

export async function createFleet(db: Db, kind: ClusterKind = "kubernetes"): Promise<Fleet> {
  const ctx = await createTestOrganization(db);
  const clusterId = newId("cluster");
  await db.cluster.create({ data: { id: clusterId, organizationId: ctx.organizationId, name: "fra-01", kind } });
  let count = 0;
  return {
    ctx,
    clusterId,
    async expose(other = {}) {
      const spec = createExposureSchema.parse({
        clusterId,
        name: `exposure-${++count}`,
        workload: { kind: "deployment", name: "shop" },
        ports: [{ port: 443 }],
        strategy: { type: "cloud", provider: "aws" },
        ...other,
      });
      const exposure = await createExposure({ ...ctx, now: new Date() }, spec);
      return exposure.id;
    },
    async wanted(exposureId) {
      const desired = await inTransaction(db, (tx) => loadDesiredExposure(tx, exposureId));
      if (!desired || desired.deletedAt) return [];
      return desired.loadBalancers.filter((each) => !each.deletedAt).map((each) => each.id);
    },
  };
}
