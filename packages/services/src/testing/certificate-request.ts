import { Pkcs10CertificateRequestGenerator } from "../authority/x509.ts";

/** TestKey is an agent's private key as PEM, and the request that it sends. */
export type TestKey = { key: string; certificateRequest: Buffer };

export async function createTestKey(name = "CN=test"): Promise<TestKey> {
  const keys = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
  const signingAlgorithm = { name: "ECDSA", hash: "SHA-256" };
  const request = await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`;
  return { key, certificateRequest: Buffer.from(request.rawData) };
}
