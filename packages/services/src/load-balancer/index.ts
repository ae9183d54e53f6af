export { getLoadBalancer } from "./get.ts";
export { listLoadBalancers } from "./list.ts";
export { type LoadBalancerStanding, recordLoadBalancer } from "./record.ts";
