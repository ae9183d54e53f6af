import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync, renameSync } from "node:fs";
import path from "node:path";
import type { Db } from "@fairlead/db";

/** A certificate that ends sooner may end before its agent has renewed it. */
const marginMs = 3_600_000;

/**
 * hasIdentity says whether the agent in this folder can go on as who it is: its certificate has not run out, and it is
 * an agent that this database knows and has not revoked. An identity that is no use any more is set aside, because
 * the agent would rather keep it than take a new token.
 */
export async function hasIdentity(db: Db, stateFolder: string, authorityDer: Buffer, now: Date): Promise<boolean> {
  const file = path.join(stateFolder, "identity.json");
  if (!existsSync(file)) return false;
  if (await isGood(db, file, authorityDer, now)) return true;
  renameSync(file, `${file}.former`);
  return false;
}

async function isGood(db: Db, file: string, authorityDer: Buffer, now: Date): Promise<boolean> {
  const identity = read(file);
  if (!identity?.authority.equals(authorityDer)) return false;
  if (identity.expiresAt.getTime() - marginMs < now.getTime()) return false;
  const agent = await db.agent.findUnique({ where: { id: identity.agentId }, select: { revokedAt: true } });
  return agent !== null && agent.revokedAt === null;
}

/** read answers null for a file that is not whole; the agent would refuse it too. */
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
