export { getLoadBalancer } from "./get.ts";
export { listLoadBalancers } from "./list.ts";
