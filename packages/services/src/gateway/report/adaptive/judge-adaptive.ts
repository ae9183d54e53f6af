import type { Tx } from "@fairlead/db";
import type { AgentIdentity } from "../../identity/identities.sql.ts";
import { loadBalancers } from "../balancer/balancer-status.sql.ts";
import { type BalancerJudgement, judgeBalancer } from "../balancer/judge-balancer.ts";
import { type AdaptiveReport, asBalancer } from "./adaptive-report.ts";
import { type AdaptiveWrite, loadAdaptive } from "./adaptive-status.sql.ts";

/** AdaptiveChange is what the report of an agent with the role adaptive changes. */
export type AdaptiveChange = AdaptiveWrite & {
  judgement: BalancerJudgement;
  /** Other nodes must send figures elsewhere. */
  hasMoved: boolean;
};

/** A report of an agent with the role adaptive. */
export type AdaptiveNews = { agent: AgentIdentity; adaptive: AdaptiveReport };

/** judgeAdaptive compares reports with what is stored. Of an agent's services only those count that it has a replica of. */
export async function judgeAdaptive(tx: Tx, news: readonly AdaptiveNews[]): Promise<AdaptiveChange[]> {
  if (news.length === 0) return [];
  const agentIds = news.map(({ agent }) => agent.agentId);
  const former = await loadAdaptive(tx, agentIds);
  const placed = await loadBalancers(tx, agentIds, "adaptive");
  return news.map(({ agent, adaptive }) => {
    const before = former.get(agent.agentId);
    const replicas = placed.get(agent.agentId)?.replicas ?? [];
    const lastReport = before
      ? {
          engine: "",
          engineReason: before.problem,
          address: "",
          flowAddress: "",
          loadBalancerIds: before.loadBalancerIds,
        }
      : null;
    const stored = { agentId: agent.agentId, lastReport, replicas };
    return {
      ...{ agent, adaptive, replicas },
      judgement: judgeBalancer(stored, asBalancer(adaptive), agent.nodeId),
      hasMoved: (before?.meshAddress ?? "") !== adaptive.meshAddress,
    };
  });
}
