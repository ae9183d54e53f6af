import { engines } from "../cost/offers/engines.ts";
import { count, significant } from "../numbers.ts";

/** What our balancer carries on so many cores, by measurement on one. */
export type Capacity = { mbps: number; connections: number; mbpsSource: string; connectionsSource: string };

/** The machine of a balancer: null for figures that its agent doesn't report. */
export type BalancerMachine = { cores: number; linkBps: number | null };

const ours = engines.find(({ isOurs }) => isOurs)?.forwarded;

/** capacityOf adds up what the balancers on some machines can carry: no more than each one's fastest link. */
export function capacityOf(machines: readonly BalancerMachine[]): Capacity {
  if (!ours) throw new Error("The catalogue of engines lacks ours.");
  const { mbps, active } = ours;
  const cores = machines.reduce((sum, each) => sum + each.cores, 0);
  const carried = machines.reduce(
    (sum, each) => sum + Math.min(each.cores * mbps.limit, (each.linkBps ?? Number.POSITIVE_INFINITY) / 1e6),
    0,
  );
  const onCores = `for each of ${count(cores)} cores of ${count(machines.length)} ${machines.length === 1 ? "balancer" : "balancers"}`;
  return {
    mbps: carried,
    connections: cores * active.limit,
    mbpsSource: `${significant(mbps.limit, 3)} Mbit/s ${onCores}, and at most the link of each`,
    connectionsSource: `${count(active.limit)} connections ${onCores}`,
  };
}
