import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * EnrollmentTokenText is what a user copies to a machine: the token's id, its secret, and the authority that the
 * machine may trust.
 */
export type EnrollmentTokenText = { id: string; secret: string; authority: string };

const prefix = "fl1_";
const longest = 1_024;

export function newEnrollmentSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** hashEnrollmentSecret is what is stored. A plain hash is enough: the secret has 256 random bits. */
export function hashEnrollmentSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

export function secretMatches(secret: string, storedHash: string): boolean {
  const given = Buffer.from(hashEnrollmentSecret(secret), "hex");
  const stored = Buffer.from(storedHash, "hex");
  return given.length === stored.length && timingSafeEqual(given, stored);
}

export function formatEnrollmentToken(token: EnrollmentTokenText): string {
  const { id, secret, authority } = token;
  return prefix + Buffer.from(JSON.stringify({ i: id, s: secret, ca: authority })).toString("base64url");
}

/** parseEnrollmentToken returns null for anything that is not one of our tokens. */
export function parseEnrollmentToken(text: string): EnrollmentTokenText | null {
  const trimmed = text.trim();
  if (!trimmed.startsWith(prefix) || trimmed.length > longest) return null;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(trimmed.slice(prefix.length), "base64url").toString("utf8"));
    if (!parsed || typeof parsed !== "object") return null;
    const { i: id, s: secret, ca: authority } = parsed as Record<string, unknown>;
    if (typeof id !== "string" || typeof secret !== "string" || typeof authority !== "string") return null;
    return { id, secret, authority };
  } catch {
    return null;
  }
}
