import type { Db } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import { type Actor, permission, role } from "@fairlead/domain/access";
import { hashSecretToken } from "../secret-token.ts";
import { countRefusedKey } from "./count-refused-key.ts";
import { KeyLimiter } from "./limiter.ts";

export type AuthenticatedKey = { actor: Actor & { kind: "api-key" }; organizationId: string };

/** Where a key comes from, and what to do if its refusal can't be counted. */
export type KeyOrigin = { address: string | null; onFault?: (error: unknown) => void };

/** UnknownApiKey refuses a key that was never issued, or whose organisation is gone. */
export class UnknownApiKey extends DomainError {
  constructor(message: string) {
    super("unauthenticated", message);
  }
}

const keyPattern = /^fl_[A-Za-z0-9_-]{28,100}$/;
const usedAtStepMs = 60_000;
const processLimiter = new KeyLimiter();

/**
 * authenticateApiKey turns a presented key into an actor, or throws: unauthenticated when it is unknown, expired or
 * revoked, rate-limited when it is over its limit. The row is read every time, so a revoked key is refused at once. Expired and
 * revoked keys are counted in the audit.
 */
export async function authenticateApiKey(
  db: Db,
  presentedKey: string,
  now: Date,
  limiter: KeyLimiter = processLimiter,
  { address, onFault }: KeyOrigin = { address: null },
): Promise<AuthenticatedKey> {
  if (!keyPattern.test(presentedKey))
    throw new UnknownApiKey("This is not an API key of Fairlead: those start with fl_.");
  const key = await db.apiKey.findUnique({ where: { keyHash: hashSecretToken(presentedKey) } });
  if (!key) throw new UnknownApiKey("There is no such API key.");
  if (key.revokedAt) {
    countRefusedKey(db, { ...key, reason: "revoked", address }, now, onFault);
    throw refused(`The API key ${key.name} was revoked.`);
  }
  if (key.expiresAt && key.expiresAt <= now) {
    countRefusedKey(db, { ...key, reason: "expired", address }, now, onFault);
    throw refused(`The API key ${key.name} has expired.`);
  }

  await limiter.take(db, key, now);
  if (!key.lastUsedAt || now.getTime() - key.lastUsedAt.getTime() >= usedAtStepMs) await markUsed(db, key.id, now);

  const scopes = key.scopes.flatMap((scope) => permission.safeParse(scope).data ?? []);
  return {
    actor: { kind: "api-key", id: key.id, name: key.name, role: role.parse(key.role), scopes },
    organizationId: key.organizationId,
  };
}

/** At most one write a minute, however many requests and processes: the condition is checked again in the row. */
async function markUsed(db: Db, id: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - usedAtStepMs);
  await db.apiKey.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: before } }] },
    data: { lastUsedAt: now },
  });
}

function refused(message: string): DomainError {
  return new DomainError("unauthenticated", message);
}
