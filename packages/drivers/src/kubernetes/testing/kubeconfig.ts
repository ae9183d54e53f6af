import type { Pem } from "./certificates.ts";

/** Credential is a token, a certificate, or null for anonymous requests. */
export type Credential = { token: string } | Pem | null;

/** writeKubeconfig returns a kubeconfig as users paste it, with all its data embedded. */
export function writeKubeconfig(url: string, ca: string, credential: Credential, namespace = "default"): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: test
  cluster:
    server: ${url}
    certificate-authority-data: ${base64(ca)}
users:
- name: test
  user: ${userOf(credential)}
contexts:
- name: test
  context:
    cluster: test
    user: test
    namespace: ${namespace}
current-context: test
`;
}

function userOf(credential: Credential): string {
  if (!credential) return "{}";
  if ("token" in credential) return `\n    token: ${credential.token}`;
  const { certificate, key } = credential;
  return `\n    client-certificate-data: ${base64(certificate)}\n    client-key-data: ${base64(key)}`;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
