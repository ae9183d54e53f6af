import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** keepSecret reads a secret from its file, or makes it and keeps it there for the owner's eyes only. */
export function keepSecret(file: string, make: () => string): string {
  const kept = readSecret(file);
  if (kept) return kept;
  const secret = make();
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}

/** readSecret answers null where there is no file, or nothing in it. */
export function readSecret(file: string): string | null {
  return (existsSync(file) && readFileSync(file, "utf8").trim()) || null;
}

export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}
