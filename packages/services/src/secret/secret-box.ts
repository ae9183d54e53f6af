import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { DomainError } from "@fairlead/domain";

/** SecretBox seals small texts for storage. One box per purpose: what was sealed for one can't be opened for another. */
export type SecretBox = { seal: (text: string) => string; open: (sealed: string) => string };

const version = "v1";
const nonceBytes = 12;
const tagBytes = 16;
const shortestSecret = 32;

/** openSecretBox derives a box from the installation's secret. */
export function openSecretBox(secret: string, purpose: string): SecretBox {
  const key = deriveKey(secret, purpose);
  return {
    seal: (text) => seal(key, purpose, text),
    open: (sealed) => open(key, purpose, sealed),
  };
}

type Key = { id: string; bytes: Buffer };

function deriveKey(secret: string, purpose: string): Key {
  if (secret.length < shortestSecret)
    throw new DomainError("invalid", `FAIRLEAD_SECRET must have at least ${shortestSecret} characters.`);
  const bytes = Buffer.from(hkdfSync("sha256", secret, "fairlead", `secret-box/${version}/${purpose}`, 32));
  // Half a hash of the derived key: it identifies the key and reveals nothing about it.
  const id = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
  return { id, bytes };
}

function seal(key: Key, purpose: string, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key.bytes, nonce).setAAD(context(key, purpose));
  const body = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${version}.${key.id}.${body.toString("base64url")}`;
}

function open(key: Key, purpose: string, sealed: string): string {
  const [prefix, keyId, encoded, ...rest] = sealed.split(".");
  if (prefix !== version || !keyId || !encoded || rest.length > 0) throw damaged();
  if (keyId !== key.id)
    throw new DomainError(
      "unavailable",
      "A stored secret was sealed with another FAIRLEAD_SECRET than this one; start with the secret that this database was set up with.",
    );
  const body = Buffer.from(encoded, "base64url");
  if (body.length < nonceBytes + tagBytes) throw damaged();
  try {
    const decipher = createDecipheriv("aes-256-gcm", key.bytes, body.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(context(key, purpose)).setAuthTag(body.subarray(body.length - tagBytes));
    const text = decipher.update(body.subarray(nonceBytes, body.length - tagBytes));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch (cause) {
    throw damaged(cause);
  }
}

function context(key: Key, purpose: string): Buffer {
  return Buffer.from(`${version}.${key.id}.${purpose}`);
}

function damaged(cause?: unknown): DomainError {
  return new DomainError("unavailable", "A stored secret is damaged or was tampered with; set it again.", { cause });
}
