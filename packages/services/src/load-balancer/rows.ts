import { viewSource } from "@fairlead/db";
import { loadBalancer } from "@fairlead/domain/load-balancer";

export const loadBalancerSource = viewSource("load_balancer_view", loadBalancer);
