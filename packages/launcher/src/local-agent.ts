import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync, renameSync } from "node:fs";
import path from "node:path";
import type { Db } from "@fairlead/db";

/** A certificate that ends sooner may end before its agent has renewed it. */
const marginMs = 3_600_000;

/**
 * Whether the agent in a folder can go on as who it is: it can, it is nobody here and may become somebody with a token,
 * or somebody wanted it gone.
 */
export type Standing = "good" | "nobody" | "revoked" | "deleted";

/** findStanding asks the database for the agent whose identity lies in this folder. */
export async function findStanding(db: Db, stateFolder: string, authorityDer: Buffer, now: Date): Promise<Standing> {
  const identity = read(identityFile(stateFolder));
  // Signed by another authority it is of another database, which this one can know nothing of.
  if (!identity?.authority.equals(authorityDer)) return "nobody";
  const agent = await db.agent.findUnique({ where: { id: identity.agentId }, select: { revokedAt: true } });
  if (!agent) return "deleted";
  if (agent.revokedAt) return "revoked";
  return identity.expiresAt.getTime() - marginMs < now.getTime() ? "nobody" : "good";
}

/** setAside moves an identity that is of no use out of the way: the agent would rather keep it than take a new token. */
export function setAside(stateFolder: string): void {
  const file = identityFile(stateFolder);
  if (existsSync(file)) renameSync(file, `${file}.former`);
}

export function identityFile(stateFolder: string): string {
  return path.join(stateFolder, "identity.json");
}

/** read answers null where there is none, and for a file that is not whole; the agent would refuse it too. */
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
