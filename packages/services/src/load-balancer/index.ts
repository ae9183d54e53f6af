export { getLoadBalancer } from "./get.ts";
export { listLoadBalancers } from "./list.ts";
export { type LoadBalancerFinding, recordLoadBalancers } from "./record.sql.ts";
