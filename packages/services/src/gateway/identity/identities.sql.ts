import type { Tx } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";

/** AgentIdentity is what a gateway needs to admit an agent, and to see whether its config is outdated. */
export type AgentIdentity = {
  agentId: string;
  nodeId: string;
  nodeName: string;
  clusterId: string;
  organizationId: string;
  roles: string[];
  /** Others are refused. */
  allowedRoles: string[];
  protocolVersion: number;
  certificateSerial: string;
  certificateExpiresAt: Date;
  previousSerial: string | null;
  revokedAt: Date | null;
  /** The newest config's; 0 while there is none. */
  revision: number;
};

/** loadIdentities returns those that exist, in one query for any number of ids. */
export async function loadIdentities(tx: Tx, agentIds: readonly string[]): Promise<AgentIdentity[]> {
  if (agentIds.length === 0) return [];
  return tx.$queryRaw<AgentIdentity[]>`
    SELECT a.id AS "agentId", n.id AS "nodeId", n.name AS "nodeName", n.cluster_id AS "clusterId",
      n.organization_id AS "organizationId", a.roles, a.allowed_roles AS "allowedRoles", a.protocol_version AS "protocolVersion", a.certificate_serial AS "certificateSerial",
      a.certificate_expires_at AS "certificateExpiresAt",
      a.previous_serial AS "previousSerial", a.revoked_at AS "revokedAt", coalesce(c.revision, 0) AS revision
    FROM agent a JOIN node n ON n.id = a.node_id LEFT JOIN node_config c ON c.agent_id = a.id
    WHERE a.id = ANY(${agentIds}::text[])`;
}

/** lockAgent locks an agent's row, so that two renewals are serialised. */
export async function lockAgent(tx: Tx, agentId: string): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM agent WHERE id = ${agentId} FOR UPDATE`;
}

/** Presented is the certificate of ours that a caller presented. */
export type Presented = { serial: string; expiresAt: Date };

/**
 * admit refuses a caller whose certificate, though ours, is no longer valid. One that expires later than all we know
 * was issued after the backup that this database was restored from; the agent still has it, so it is accepted.
 */
export function admit(identity: AgentIdentity | null | undefined, { serial, expiresAt }: Presented): AgentIdentity {
  if (!identity)
    throw new DomainError(
      "unauthenticated",
      "This agent is unknown to the control plane; its node was probably deleted. Enrol it with a new token.",
    );
  if (identity.revokedAt)
    throw new DomainError(
      "forbidden",
      `This agent was revoked at ${identity.revokedAt.toISOString()}. Enrol it with a new token to bring ${identity.nodeName} back.`,
    );
  const isKnown = serial === identity.certificateSerial || serial === identity.previousSerial;
  if (!isKnown && expiresAt <= identity.certificateExpiresAt)
    throw new DomainError(
      "unauthenticated",
      "This agent has renewed its certificate since; only its two newest certificates count.",
    );
  return identity;
}
