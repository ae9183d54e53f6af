import { createHash, randomBytes } from "node:crypto";

/** newSecretToken makes 192 bits of chance that are safe in URLs and headers. */
export function newSecretToken(): string {
  return randomBytes(24).toString("base64url");
}

/** hashSecretToken is what we store. A fast hash is right here: nobody can guess 192 bits, however fast they try. */
export function hashSecretToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
