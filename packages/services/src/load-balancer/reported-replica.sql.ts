import { Prisma } from "@fairlead/db";

/**
 * reportedReplica selects whether a replica carries traffic, and why not: of a replica r, its status s and the view v of
 * its agent. The last report of an agent that no longer reports isn't evidence, however good it was. A replica of a
 * driver has no agent.
 */
export const reportedReplica = {
  ready: Prisma.sql`(coalesce(s.ready, false) AND (r.agent_id IS NULL OR v.state IN ('in-sync', 'out-of-sync')))`,
  message: Prisma.sql`CASE
    WHEN s.replica_id IS NULL OR r.agent_id IS NULL OR v.state IN ('in-sync', 'out-of-sync') THEN coalesce(s.message, '')
    WHEN v.state = 'revoked' THEN 'Its agent is revoked.' ELSE 'Its agent is silent.' END`,
} as const;
