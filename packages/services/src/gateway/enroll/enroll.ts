import { type Db, inTransaction, type Tx } from "@fairlead/db";
import { DomainError, invalid, newId, objectName } from "@fairlead/domain";
import { nodeSettings } from "@fairlead/domain/node";
import { type AgentKey, type Authority, readCertificateRequest, signAgentCertificate } from "../../authority/index.ts";
import { markDirty } from "../../control/mark-dirty.sql.ts";
import { recordChange } from "../../control/record-change.ts";
import { recordEvent } from "../../control/record-event.ts";
import { storableProtocol } from "../identity/agent-protocol.ts";
import { readRoles } from "../identity/read-roles.ts";
import { findOrCreateNode, lockToken, type StoredToken } from "./enroll.sql.ts";
import { parseEnrollmentToken, secretMatches } from "./enrollment-token.ts";
import { supersede } from "./supersede.ts";

export type EnrollAgent = {
  token: string;
  certificateRequest: Uint8Array;
  nodeName: string;
  hostname: string;
  version: string;
  protocolVersion: number;
  roles: string[];
};

export type Enrollment = { agentId: string; nodeId: string; clusterId: string; certificate: Buffer; authority: Buffer };

/**
 * enrollAgent exchanges a token for an identity. The token's row is locked, so of two machines with the same token one
 * comes second, and is refused if the token is for one; a repeat with the same key is the same machine after a lost
 * answer.
 */
export async function enrollAgent(db: Db, authority: Authority, input: EnrollAgent, now: Date): Promise<Enrollment> {
  const presented = parseEnrollmentToken(input.token);
  if (!presented) throw unknownToken();
  const key = await readCertificateRequest(input.certificateRequest);
  return inTransaction(db, async (tx) => {
    const token = await lockToken(tx, presented.id);
    if (!token || !secretMatches(presented.secret, token.secretHash)) throw unknownToken();
    const repeated = token.usedAt ? await findRepeated(tx, token, key) : null;
    if (token.usedAt && !token.isReusable && !repeated)
      throw new DomainError("unauthenticated", "This enrolment token was used already; create a new one under Nodes.");
    if (token.expiresAt <= now)
      throw new DomainError("unauthenticated", "This enrolment token has expired; create a new one under Nodes.");
    const agentId = repeated ?? newId("agent", now);
    const signed = await signAgentCertificate(authority, key, agentId, now);
    const certificate = { certificateSerial: signed.serial, certificateExpiresAt: signed.expiresAt };
    if (repeated) {
      const { nodeId } = await tx.agent.update({ where: { id: repeated }, data: certificate });
      return { agentId, nodeId, clusterId: token.clusterId, certificate: signed.der, authority: authority.der };
    }
    const node = await findOrCreateNode(tx, {
      id: newId("node", now),
      organizationId: token.organizationId,
      clusterId: token.clusterId,
      name: chooseNodeName(token, input),
      settings: nodeSettings.parse({}),
    });
    const roles = readRoles(input.roles);
    checkRoles(token, roles);
    const superseded = await supersede(tx, node, { roles, mayReplace: token.nodeName === node.name, now });
    await tx.agent.create({
      data: {
        id: agentId,
        organizationId: token.organizationId,
        nodeId: node.id,
        roles,
        allowedRoles: token.roles.length > 0 ? token.roles : roles,
        keyDigest: key.digest,
        protocolVersion: storableProtocol(input.protocolVersion),
        ...certificate,
        enrolledAt: now,
      },
    });
    await tx.enrollmentToken.update({
      where: { id: token.id },
      data: { usedAt: now, agentId, uses: { increment: 1 } },
    });
    await markDirty(tx, "node", node.id);
    await recordEnrollment(tx, { token, node, agentId, superseded, roles, version: input.version, now });
    return {
      agentId,
      nodeId: node.id,
      clusterId: token.clusterId,
      certificate: signed.der,
      authority: authority.der,
    };
  });
}

function checkRoles(token: StoredToken, roles: readonly string[]): void {
  const foreign = roles.find((each) => token.roles.length > 0 && !token.roles.includes(each));
  if (foreign !== undefined)
    throw new DomainError(
      "forbidden",
      `This enrolment token is for agents of the roles ${token.roles.join(" and ")}, and this one is a ${foreign}. Create another token under Nodes.`,
    );
}

/** One message for every unknown token, so that a client can't find out which ids exist. */
function unknownToken(): DomainError {
  return new DomainError(
    "unauthenticated",
    "This enrolment token is not one of this control plane's; copy all of it again, or create a new one under Nodes.",
  );
}

async function findRepeated(tx: Tx, token: StoredToken, key: AgentKey): Promise<string | null> {
  if (!token.agentId) return null;
  const agent = await tx.agent.findFirst({
    where: {
      ...(token.isReusable ? { node: { clusterId: token.clusterId } } : { id: token.agentId }),
      ...{ keyDigest: key.digest, revokedAt: null },
    },
    select: { id: true },
  });
  return agent?.id ?? null;
}

function chooseNodeName(token: StoredToken, input: EnrollAgent): string {
  const requested = input.nodeName || token.nodeName || input.hostname;
  // Hostnames may hold dots and capitals, and so may Kubernetes node names; a name that a user typed is taken as typed
  // or not at all.
  const name = requested === input.hostname || token.isReusable ? asObjectName(requested) : requested;
  if (token.nodeName && name !== token.nodeName)
    throw new DomainError(
      "forbidden",
      `This enrolment token is for the node ${token.nodeName} only, and this machine's name is ${name}. Start the agent with --node-name ${token.nodeName}, or create another token.`,
    );
  const parsed = objectName.safeParse(name);
  if (parsed.success) return parsed.data;
  throw invalid(
    ["nodeName"],
    `The node can't be named ${JSON.stringify(requested.slice(0, 80))}: ${parsed.error.issues[0]?.message}.`,
  );
}

function asObjectName(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 63)
    .replace(/^-|-$/g, "");
}

async function recordEnrollment(
  tx: Tx,
  made: {
    token: StoredToken;
    node: { id: string; name: string };
    agentId: string;
    superseded: string[];
    roles: string[];
    version: string;
    now: Date;
  },
): Promise<void> {
  const { token, node, agentId, superseded, roles, version, now } = made;
  const { organizationId, clusterId } = token;
  const instead = superseded.length > 0 ? ", in place of an earlier one, which is revoked" : "";
  await recordEvent(tx, organizationId, {
    at: now,
    reason: "AgentEnrolled",
    message: `An agent enrolled for ${node.name} with the token that ${token.createdBy} created${instead}.`,
    subjectKind: "node",
    subjectId: node.id,
    subjectName: node.name,
    clusterId,
  });
  const actor = { kind: "agent", id: agentId, name: `the agent of ${node.name}` } as const;
  await recordChange(
    tx,
    { actor, organizationId, now },
    {
      action: "agent.enroll",
      subjectKind: "agent",
      subjectId: agentId,
      subjectName: node.name,
      clusterId,
      before: null,
      after: { nodeId: node.id, roles, version: version.slice(0, 64), enrollmentTokenId: token.id, superseded },
    },
  );
}
