import {
  hideBackendAddress,
  hideBalancerAddress,
  hideReplicaAddresses,
  type LoadBalancer,
  type LoadBalancerDetail,
} from "@fairlead/domain/load-balancer";
import { unlessMap } from "../address-map/may-read.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { loadOne } from "../control/load-one.ts";
import { selectBackends, selectReplicas } from "./parts.sql.ts";
import { loadBalancerSource } from "./rows.ts";

/** getLoadBalancer returns a balancer with its replicas and backends. */
export async function getLoadBalancer(ctx: ServiceContext, id: string): Promise<LoadBalancerDetail> {
  authorize(ctx, "exposure:read");
  const { db, organizationId } = ctx;
  const loadBalancer = await loadOne<LoadBalancer>(db, "load balancer", loadBalancerSource, organizationId, id);
  const [replicas, backends] = await Promise.all([selectReplicas(db, [id]), selectBackends(db, [id])]);
  return {
    ...unlessMap(ctx, hideBalancerAddress)(loadBalancer),
    replicas: replicas.map(withoutOwner).map(unlessMap(ctx, hideReplicaAddresses)),
    backends: backends.map(withoutOwner).map(unlessMap(ctx, hideBackendAddress)),
  };
}

function withoutOwner<Part extends { loadBalancerId: string }>({ loadBalancerId: _, ...part }: Part) {
  return part;
}
