import type { Db, Tx } from "@fairlead/db";

/** Carriers holds which agents have or had replicas of which load balancers, as far as reports of today are concerned. */
export class Carriers {
  readonly #until: Map<string, number>;

  private constructor(until: Map<string, number>) {
    this.#until = until;
  }

  static async load(db: Db | Tx, agentIds: readonly string[], loadBalancerIds: readonly string[]): Promise<Carriers> {
    if (loadBalancerIds.length === 0) return new Carriers(new Map());
    const rows = await db.$queryRaw<{ agentId: string; loadBalancerId: string; endedAt: Date | null }[]>`
      WITH named AS (SELECT ${[...agentIds]}::text[] AS agents, ${[...loadBalancerIds]}::text[] AS balancers)
      SELECT f.agent_id AS "agentId", f.load_balancer_id AS "loadBalancerId", f.ended_at AS "endedAt"
      FROM named JOIN former_replica f ON f.agent_id = ANY(agents) AND f.load_balancer_id = ANY(balancers)
      UNION ALL
      SELECT r.agent_id, r.load_balancer_id, NULL
      FROM named JOIN replica r ON r.agent_id = ANY(agents) AND r.load_balancer_id = ANY(balancers)`;
    // In this order: an agent that has a replica again counts as if it had never lost it.
    return new Carriers(
      new Map(rows.map((each) => [nameOf(each.agentId, each.loadBalancerId), each.endedAt?.getTime() ?? Infinity])),
    );
  }

  /** until is when an agent lost its last replica of a load balancer: Infinity if it has one, null if it never had. */
  until(agentId: string, loadBalancerId: string): number | null {
    return this.#until.get(nameOf(agentId, loadBalancerId)) ?? null;
  }
}

function nameOf(agentId: string, loadBalancerId: string): string {
  return `${agentId} ${loadBalancerId}`;
}
