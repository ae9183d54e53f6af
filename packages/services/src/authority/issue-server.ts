import { isIP } from "node:net";
import { day, keyAlgorithm, newSerial, validity } from "./certificate.ts";
import type { Authority } from "./ensure.ts";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "./x509.ts";

/** The name that every agent expects, whatever address it connects to. */
export const gatewayName = "fairlead-gateway";

const lifetimeMs = 30 * day;

/** What a TLS server needs: its chain (leaf, then CA) and key as PEM. Never stored; each start issues a new one. */
export type ServerCertificate = { chain: string; key: string; expiresAt: Date };

export async function issueServerCertificate(
  authority: Authority,
  names: readonly string[],
  now: Date,
): Promise<ServerCertificate> {
  const keys = await crypto.subtle.generateKey(keyAlgorithm, true, ["sign", "verify"]);
  const { notBefore, notAfter } = validity(now, lifetimeMs);
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${gatewayName}`,
    issuer: authority.certificate.subjectName,
    publicKey: keys.publicKey,
    signingKey: authority.key,
    signingAlgorithm: keyAlgorithm,
    serialNumber: newSerial(),
    notBefore,
    notAfter,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(alternativeNames([gatewayName, "localhost", "127.0.0.1", "::1", ...names])),
      await AuthorityKeyIdentifierExtension.create(authority.certificate.publicKey),
    ],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  return { chain: `${certificate.toString("pem")}\n${authority.pem}\n`, key: toPem(pkcs8), expiresAt: notAfter };
}

function alternativeNames(names: string[]): { type: "dns" | "ip"; value: string }[] {
  return [...new Set(names)].map((value) => ({ type: isIP(value) ? "ip" : "dns", value }));
}

function toPem(pkcs8: Buffer): string {
  return `-----BEGIN PRIVATE KEY-----\n${pkcs8.toString("base64")}\n-----END PRIVATE KEY-----\n`;
}
