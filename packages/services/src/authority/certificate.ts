import { randomBytes } from "node:crypto";
import type { X509Certificate } from "./x509.ts";

/** The algorithm of all our keys: small, fast, and supported by the TLS stacks that agents meet. */
export const keyAlgorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

export const day = 24 * 3_600_000;

/** How far clocks may differ before a fresh certificate counts as not valid yet. */
const skew = 5 * 60_000;

export function validity(now: Date, lifetimeMs: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now.getTime() - skew), notAfter: new Date(now.getTime() + lifetimeMs) };
}

/** newSerial never starts with a zero digit, so that all tools print it the same. */
export function newSerial(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40, 0);
  return bytes.toString("hex");
}

export function toDer(certificate: X509Certificate): Buffer {
  return Buffer.from(certificate.rawData);
}
