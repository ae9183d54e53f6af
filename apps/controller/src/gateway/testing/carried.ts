import type { BalancerStage } from "./balancer-stage.ts";
import { podAddress, type TestBalancer } from "./test-balancer.ts";

/** Where replicas are placed. */
export const replicasOf = ({ database }: BalancerStage, id: string) =>
  database.db.replica.findMany({ where: { loadBalancer: { exposureId: id } }, orderBy: { ordinal: "asc" } });

export const agentsOf = async (stage: BalancerStage, id: string) =>
  (await replicasOf(stage, id)).map((each) => each.agentId);

/** silence sets the last report of an agent to this long ago. */
export async function silence(
  { database }: BalancerStage,
  agentId: string | null | undefined,
  seconds: number,
): Promise<void> {
  const lastReportAt = new Date(Date.now() - seconds * 1_000);
  await database.db.nodeStatus.update({ where: { agentId: agentId ?? "" }, data: { lastReportAt } });
}

/** The states of the backends of the first service in a balancer's newest config, by address. */
export function statesOf(balancer: TestBalancer | undefined): Record<string, string> {
  const [service] = balancer?.services() ?? [];
  return Object.fromEntries((service?.backends ?? []).map((each) => [each.address, each.state]));
}

export const actives = (numbers: number[]) => Object.fromEntries(numbers.map((each) => [podAddress(each), "active"]));
