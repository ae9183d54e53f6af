import { type Db, inTransaction } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import { allowableRoles, bgpRoles } from "@fairlead/domain/node";
import { recordChange } from "../../control/record-change.ts";
import { recordDampedEvent } from "../../control/record-damped-event.ts";
import type { AgentReport } from "../report/check-report.ts";
import type { AgentIdentity } from "./identities.sql.ts";

/** An agent repeats a refused call for as long as it runs. */
const auditedOncePerMs = 3_600_000;

/** rolesOfReport returns the roles without which an agent has no such report, including those that it states itself. */
export function rolesOfReport(
  { allowedRoles }: Pick<AgentIdentity, "allowedRoles">,
  { roles, balancer, bgp, inventory }: Pick<AgentReport, "roles" | "balancer" | "bgp" | "inventory">,
): string[] {
  const hasBgp = bgp !== null && bgp.sessions.length + bgp.announcements.length + bgp.routes.length > 0;
  // Any of these roles has sessions; without one of them, the report is of a speaker as far as anyone can see.
  const bgpRole = hasBgp ? (allowedRoles.find((each) => bgpRoles.includes(each)) ?? "speaker") : null;
  const parts = [balancer ? "balancer" : null, inventory ? "lab" : null, bgpRole];
  return [...new Set([...roles, ...parts.filter((each) => each !== null)])];
}

/** checkAllowedRoles refuses an agent that acts in a role that its token didn't allow, and records the attempt. */
export async function checkAllowedRoles(
  db: Db,
  agent: AgentIdentity,
  roles: readonly string[],
  now: Date,
): Promise<void> {
  const foreign = foreignRoles(agent, roles);
  if (foreign.length === 0) return;
  await recordAttempt(db, agent, foreign, now);
  throw rolesRefused(agent, foreign);
}

/** foreignRoles returns those of these roles that an agent may not run as. An agent can invent any number of names. */
export function foreignRoles(
  { allowedRoles }: Pick<AgentIdentity, "allowedRoles">,
  roles: readonly string[],
): string[] {
  const foreign = roles.filter((each) => !allowedRoles.includes(each));
  const isKnown = (role: string) => allowableRoles.some((each) => each === role);
  return [...new Set(foreign.map((each) => (isKnown(each) ? each : "an unknown role")))];
}

export function rolesRefused(
  { nodeName, allowedRoles }: Pick<AgentIdentity, "nodeName" | "allowedRoles">,
  foreign: readonly string[],
): DomainError {
  return new DomainError(
    "forbidden",
    `The agent of ${nodeName} may run as ${spell(allowedRoles)}, not as ${spell(foreign)}. An owner can allow this role on the page of the node; otherwise enrol the agent again with a token for it.`,
  );
}

/** recordAttempt records each role once an hour. */
async function recordAttempt(db: Db, agent: AgentIdentity, attempted: string[], now: Date): Promise<void> {
  const { agentId, nodeId, nodeName, organizationId, clusterId, allowedRoles } = agent;
  const action = "agent.refuse-roles";
  const since = new Date(now.getTime() - auditedOncePerMs);
  await inTransaction(db, async (tx) => {
    const recorded = await tx.auditEntry.findMany({
      where: { organizationId, action, subjectId: agentId, at: { gt: since } },
      select: { after: true },
    });
    const known = new Set(recorded.flatMap((each) => (each.after as { roles: string[] }).roles));
    const foreign = attempted.filter((each) => !known.has(each));
    if (foreign.length === 0) return;
    const after = { roles: foreign };
    const actor = { kind: "agent", id: agentId, name: `the agent of ${nodeName}` } as const;
    const before = { allowedRoles };
    const subject = { subjectKind: "agent", subjectId: agentId, subjectName: nodeName, clusterId } as const;
    await recordChange(tx, { actor, organizationId, now }, { action, ...subject, before, after });
    await recordDampedEvent(tx, organizationId, {
      at: now,
      reason: "AgentRolesRefused",
      message: `The agent of ${nodeName} is refused: it may run as ${spell(allowedRoles)}, and acts as ${spell(foreign)}. If you changed its roles, allow them on the page of the node. If not, find out what runs there, and revoke it.`,
      subjectKind: "node",
      subjectId: nodeId,
      subjectName: nodeName,
      clusterId,
    });
  });
}

function spell(roles: readonly string[]): string {
  return roles.join(", ") || "nothing";
}
