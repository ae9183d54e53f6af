import type { Db, Tx } from "@fairlead/db";

type Row = { agentId: string; loadBalancerIds: string; endedAt: Date | null };

/** Carriers holds which agents have replicas of which load balancers, or had them when their late samples were measured. */
export class Carriers {
  readonly #until = new Map<string, Map<string, number>>();

  static async load(db: Db | Tx, agentIds: readonly string[], loadBalancerIds: readonly string[]): Promise<Carriers> {
    const carriers = new Carriers();
    if (loadBalancerIds.length === 0) return carriers;
    // A batch has thousands of replicas: as one text per agent they cost a tenth of as many rows. An agent that has a
    // replica again comes last, and counts as if it had never lost it.
    const rows = await db.$queryRaw<Row[]>`
      WITH named AS (SELECT ${[...agentIds]}::text[] AS agents, ${[...loadBalancerIds]}::text[] AS balancers)
      SELECT agent_id AS "agentId", ended_at AS "endedAt", string_agg(load_balancer_id, ' ') AS "loadBalancerIds" FROM (
        SELECT f.agent_id, f.load_balancer_id, f.ended_at
        FROM named JOIN former_replica f ON f.agent_id = ANY(agents) AND f.load_balancer_id = ANY(balancers)
        UNION ALL
        SELECT r.agent_id, r.load_balancer_id, NULL
        FROM named JOIN replica r ON r.agent_id = ANY(agents) AND r.load_balancer_id = ANY(balancers)
      ) carried GROUP BY 1, 2 ORDER BY 2 NULLS LAST`;
    for (const row of rows) carriers.#add(row);
    return carriers;
  }

  #add({ agentId, loadBalancerIds, endedAt }: Row): void {
    const own = this.#until.get(agentId) ?? new Map<string, number>();
    for (const id of loadBalancerIds.split(" ")) own.set(id, endedAt?.getTime() ?? Infinity);
    this.#until.set(agentId, own);
  }

  /** until is when an agent lost its last replica of a load balancer: Infinity if it has one, null if it never had. */
  until(agentId: string, loadBalancerId: string): number | null {
    return this.#until.get(agentId)?.get(loadBalancerId) ?? null;
  }
}
