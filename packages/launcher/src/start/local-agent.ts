import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync, renameSync } from "node:fs";
import path from "node:path";
import type { Db } from "@fairlead/db";

/** A certificate that expires sooner might expire before the agent renews it. */
const marginMs = 3_600_000;

/**
 * State of the identity in an agent's folder: valid, missing (the agent can enrol with a token), or the agent was revoked or
 * its node deleted by a user.
 */
export type IdentityState = "valid" | "missing" | "revoked" | "deleted";

/** checkIdentity looks up the agent whose identity is stored in this folder. */
export async function checkIdentity(
  db: Db,
  stateFolder: string,
  authorityDer: Buffer,
  now: Date,
): Promise<IdentityState> {
  const identity = read(identityFile(stateFolder));
  // An identity of another authority belongs to another database.
  if (!identity?.authority.equals(authorityDer)) return "missing";
  const agent = await db.agent.findUnique({ where: { id: identity.agentId }, select: { revokedAt: true } });
  if (!agent) return "deleted";
  if (agent.revokedAt) return "revoked";
  return identity.expiresAt.getTime() - marginMs < now.getTime() ? "missing" : "valid";
}

/** moveAway renames an unusable identity: the agent would keep it instead of using a new token. */
export function moveAway(stateFolder: string): void {
  const file = identityFile(stateFolder);
  if (existsSync(file)) renameSync(file, `${file}.former`);
}

export function identityFile(stateFolder: string): string {
  return path.join(stateFolder, "identity.json");
}

/** read returns null for a missing or damaged file; the agent would reject it too. */
function read(file: string): { agentId: string; authority: Buffer; expiresAt: Date } | null {
  try {
    const stored = JSON.parse(readFileSync(file, "utf8")) as Record<"agentId" | "certificate" | "authority", string>;
    const { validTo } = new X509Certificate(Buffer.from(stored.certificate, "base64"));
    return {
      agentId: String(stored.agentId),
      authority: Buffer.from(stored.authority, "base64"),
      expiresAt: new Date(validTo),
    };
  } catch {
    return null;
  }
}
