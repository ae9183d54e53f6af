import { createHash, randomBytes } from "node:crypto";

/** newSecretToken returns 192 random bits that are safe in URLs and headers. */
export function newSecretToken(): string {
  return randomBytes(24).toString("base64url");
}

/** hashSecretToken is what we store. A fast hash is enough: 192 bits can't be guessed at any speed. */
export function hashSecretToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
