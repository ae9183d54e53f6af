import { randomBytes } from "node:crypto";
import { BasicConstraintsExtension, X509CertificateGenerator } from "../authority/x509.ts";

export type TestPem = { certificate: string; key: string };

const signing = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const day = 86_400_000;

/** createTestCertificate creates a self-signed certificate that expires endsInMs from now. */
export async function createTestCertificate(name = "test", endsInMs = 30 * day): Promise<TestPem> {
  const keys = await crypto.subtle.generateKey(signing, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: signing,
    serialNumber: randomBytes(8).toString("hex"),
    notBefore: new Date(Date.now() + Math.min(0, endsInMs) - day),
    notAfter: new Date(Date.now() + endsInMs),
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  return {
    certificate: `${certificate.toString("pem")}\n`,
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`,
  };
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** writeTestKubeconfig returns a kubeconfig as users paste it. */
export function writeTestKubeconfig(
  authority: string,
  auth: { token: string } | TestPem,
  server = "https://203.0.113.7:6443",
): string {
  const user =
    "token" in auth
      ? { token: auth.token }
      : { "client-certificate-data": base64(auth.certificate), "client-key-data": base64(auth.key) };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    clusters: [{ name: "test", cluster: { server, "certificate-authority-data": base64(authority) } }],
    users: [{ name: "test", user }],
    contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
  });
}
