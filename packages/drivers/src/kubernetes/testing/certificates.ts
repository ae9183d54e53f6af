import { generateKeyPairSync, randomBytes } from "node:crypto";
import { controlPlaneAddress } from "./nodes/addresses.ts";
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type JsonName,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "./x509.ts";

/** Pem is a certificate and its key, as in kubeconfigs and flags. */
export type Pem = { certificate: string; key: string };

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const day = 24 * 3_600_000;

/** makeAuthority creates the CA of one control plane, for its server and its users. */
export async function makeAuthority(): Promise<Pem> {
  const keys = await newKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: "CN=control plane for tests",
    keys,
    signingAlgorithm: algorithm,
    ...validity(),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.digitalSignature, true),
    ],
  });
  return { certificate: toPem(certificate), key: await exportKey(keys.privateKey) };
}

/** issueServer issues a certificate for a server on this machine, also for nodes in separate networks. */
export function issueServer(authority: Pem): Promise<Pem> {
  return issue(
    authority,
    [{ CN: ["kube-apiserver"] }],
    [
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([
        { type: "ip", value: "127.0.0.1" },
        { type: "ip", value: controlPlaneAddress },
        { type: "dns", value: "localhost" },
        { type: "dns", value: "kubernetes.default.svc" },
      ]),
    ],
  );
}

/** issueUser issues a user's certificate: Kubernetes reads the user from the common name and groups from organizations. */
export function issueUser(
  authority: Pem,
  user: string,
  groups: readonly string[] = [],
  endsInMs = 30 * day,
): Promise<Pem> {
  const name = [...groups.map((group) => ({ O: [group] })), { CN: [user] }];
  return issue(authority, name, [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])], endsInMs);
}

/** makeTokenKeys creates the key pair that signs ServiceAccount tokens, in the only form that all programs read. */
export function makeTokenKeys(): { privateKey: string; publicKey: string } {
  return generateKeyPairSync("ec", {
    namedCurve: "P-256",
    privateKeyEncoding: { type: "sec1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
}

async function issue(
  authority: Pem,
  subject: JsonName,
  extensions: (ExtendedKeyUsageExtension | SubjectAlternativeNameExtension)[],
  endsInMs = 30 * day,
): Promise<Pem> {
  const keys = await newKeys();
  const der = Buffer.from(authority.key.replace(/-----[A-Z ]+-----|\s/g, ""), "base64");
  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer: new X509Certificate(authority.certificate).subjectName,
    publicKey: keys.publicKey,
    signingKey: await crypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]),
    signingAlgorithm: algorithm,
    serialNumber: randomBytes(8).toString("hex"),
    ...validity(endsInMs),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      ...extensions,
    ],
  });
  return { certificate: toPem(certificate), key: await exportKey(keys.privateKey) };
}

function newKeys() {
  return crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
}

function validity(endsInMs = 30 * day): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - day), notAfter: new Date(now + endsInMs) };
}

function toPem(certificate: X509Certificate): string {
  return `${certificate.toString("pem")}\n`;
}

async function exportKey(key: Parameters<typeof crypto.subtle.exportKey>[1]): Promise<string> {
  const text = Buffer.from(await crypto.subtle.exportKey("pkcs8", key)).toString("base64");
  return `-----BEGIN PRIVATE KEY-----\n${text.replace(/.{64}/g, "$&\n").trimEnd()}\n-----END PRIVATE KEY-----\n`;
}
