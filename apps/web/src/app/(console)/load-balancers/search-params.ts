import { isId } from "@fairlead/domain";
import { strategyTypes } from "@fairlead/domain/exposure";
import { type ListLoadBalancers, loadBalancerPhases } from "@fairlead/domain/load-balancer";
import { createLoader, type inferParserType, parseAsString } from "nuqs/server";
import { choices, inCluster, tableParams, toListInput } from "@/components/table/table-params.ts";

export const loadBalancerParams = {
  ...tableParams(["name", "address", "phase", "strategy", "clusterName", "exposureName", "createdAt", "updatedAt"], {
    sort: "name",
    direction: "asc",
  }),
  cluster: parseAsString,
  exposure: parseAsString,
  phase: choices(loadBalancerPhases),
  strategy: choices(strategyTypes),
};
export type LoadBalancerParams = inferParserType<typeof loadBalancerParams>;

export const loadLoadBalancerParams = createLoader(loadBalancerParams);

export function toLoadBalancerInput(
  params: LoadBalancerParams,
): Omit<ListLoadBalancers, "limit" | "offset" | "cursor"> {
  return {
    ...toListInput(params),
    ...inCluster(params.cluster),
    ...(params.exposure && isId("exposure", params.exposure) ? { exposureId: params.exposure } : {}),
    ...(params.phase ? { phase: params.phase } : {}),
    ...(params.strategy ? { strategy: params.strategy } : {}),
  };
}
