import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** readOrCreateSecret reads a secret from its file, or creates the file, readable only by its owner. */
export function readOrCreateSecret(file: string, create: () => string): string {
  const kept = readSecret(file);
  if (kept) return kept;
  const secret = create();
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}

/** readSecret returns null for a missing or empty file. */
export function readSecret(file: string): string | null {
  return (existsSync(file) && readFileSync(file, "utf8").trim()) || null;
}

export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}
