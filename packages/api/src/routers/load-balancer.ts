import { idOf, pageOf } from "@fairlead/domain";
import { listLoadBalancers, loadBalancer, loadBalancerDetail } from "@fairlead/domain/load-balancer";
import * as services from "@fairlead/services";
import { byId } from "../input.ts";
import { procedure, router } from "../trpc.ts";

const tag = "Load balancers";

export const loadBalancerRouter = router({
  list: procedure
    .meta({
      permission: "exposure:read",
      rest: { method: "GET", path: "/load-balancers", summary: "List load balancers", tag },
    })
    .input(listLoadBalancers)
    .output(pageOf(loadBalancer))
    .query(({ ctx, input }) => services.listLoadBalancers(ctx, input)),

  get: procedure
    .meta({
      permission: "exposure:read",
      rest: {
        method: "GET",
        path: "/load-balancers/{id}",
        summary: "Read a load balancer with its replicas and backends",
        tag,
      },
    })
    .input(byId(idOf("loadBalancer")))
    .output(loadBalancerDetail)
    .query(({ ctx, input }) => services.getLoadBalancer(ctx, input.id)),
});
