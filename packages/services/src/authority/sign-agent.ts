import { createHash } from "node:crypto";
import { DomainError } from "@fairlead/domain";
import { day, keyAlgorithm, newSerial, toDer, validity } from "./certificate.ts";
import type { Authority } from "./ensure.ts";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Pkcs10CertificateRequest,
  type PublicKey,
  X509CertificateGenerator,
} from "./x509.ts";

const lifetimeMs = 30 * day;
const longestRequest = 8_192;

/** AgentKey is a public key whose owner has proven possession of the private one. */
export type AgentKey = { publicKey: PublicKey; digest: string };
export type AgentCertificate = { der: Buffer; serial: string; expiresAt: Date };

/** readCertificateRequest takes the key out of a PKCS #10 request. All other fields are ignored. */
export async function readCertificateRequest(der: Uint8Array): Promise<AgentKey> {
  if (der.length === 0 || der.length > longestRequest) throw unusable("it is empty or too long");
  const request = parse(der);
  const algorithm = request.publicKey.algorithm as { name: string; namedCurve?: string };
  if (algorithm.name !== "ECDSA" || algorithm.namedCurve !== "P-256")
    throw unusable("its key must be ECDSA on the curve P-256");
  if (!(await signatureHolds(request))) throw unusable("its signature does not fit its key");
  const digest = createHash("sha256").update(Buffer.from(request.publicKey.rawData)).digest("hex");
  return { publicKey: request.publicKey, digest };
}

/**
 * signAgentCertificate issues the certificate of one agent: the common name is the agent's id, and nothing else counts.
 */
export async function signAgentCertificate(
  authority: Authority,
  key: AgentKey,
  agentId: string,
  now: Date,
): Promise<AgentCertificate> {
  const serial = newSerial();
  const { notBefore, notAfter } = validity(now, lifetimeMs);
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${agentId}`,
    issuer: authority.certificate.subjectName,
    publicKey: key.publicKey,
    signingKey: authority.key,
    signingAlgorithm: keyAlgorithm,
    serialNumber: serial,
    notBefore,
    notAfter,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
      await AuthorityKeyIdentifierExtension.create(authority.certificate.publicKey),
    ],
  });
  return { der: toDer(certificate), serial, expiresAt: certificate.notAfter };
}

function parse(der: Uint8Array): Pkcs10CertificateRequest {
  try {
    return new Pkcs10CertificateRequest(Uint8Array.from(der));
  } catch (cause) {
    throw unusable("it is not a PKCS #10 request in DER", cause);
  }
}

async function signatureHolds(request: Pkcs10CertificateRequest): Promise<boolean> {
  try {
    return await request.verify();
  } catch {
    return false;
  }
}

function unusable(why: string, cause?: unknown): DomainError {
  const message = `The certificate request can't be used: ${why}.`;
  return new DomainError("invalid", message, { cause, fields: [{ path: ["certificateRequest"], message }] });
}
