import { createPrivateKey, X509Certificate } from "node:crypto";
import { type KubeconfigAccess, type ReadKubeconfig, readKubeconfig } from "@fairlead/domain/kubernetes";
import { parseKubeconfig } from "./parse-kubeconfig.ts";

export type OpenedKubeconfig = ReadKubeconfig & { certificateExpiresAt: Date | null };

/** openKubeconfig parses a kubeconfig, and checks its certificates. */
export function openKubeconfig(text: string, context: string | undefined, now: Date): OpenedKubeconfig {
  const parsed = parseKubeconfig(text);
  if ("problem" in parsed) {
    const nothing = { contexts: [], contextName: null, server: null, access: null, certificateExpiresAt: null };
    return { ...nothing, problems: [parsed.problem] };
  }
  const read = readKubeconfig(parsed.document, { context });
  if (!read.access) return { ...read, certificateExpiresAt: null };
  const { expiresAt, problems } = lookInto(read.access, now);
  return {
    ...read,
    certificateExpiresAt: expiresAt,
    access: problems.length > 0 ? null : read.access,
    problems: [...read.problems, ...problems],
  };
}

function lookInto(access: KubeconfigAccess, now: Date): { expiresAt: Date | null; problems: string[] } {
  const problems: string[] = [];
  const { certificateAuthority, auth } = access;
  for (const each of certificateAuthority?.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [])
    if (!readCertificate(each)) {
      problems.push("certificate-authority-data holds a certificate that can't be read. Copy it again.");
      break;
    }
  if (auth.type !== "certificate") return { expiresAt: null, problems };
  const certificate = readCertificate(auth.certificate);
  if (!certificate)
    return {
      expiresAt: null,
      problems: [...problems, "client-certificate-data holds no certificate that can be read. Copy it again."],
    };
  const expiresAt = certificate.validToDate;
  if (expiresAt.getTime() <= now.getTime())
    problems.push(
      `The client certificate expired on ${expiresAt.toISOString().slice(0, 10)}. Have a new one issued, and paste the kubeconfig with that.`,
    );
  const fits = fitsKey(certificate, auth.key);
  if (fits === null)
    problems.push("client-key-data holds no private key that can be read; one with a passphrase can't. Copy it again.");
  if (fits === false)
    problems.push(
      "client-key-data isn't the key of client-certificate-data. Copy both again, from the same kubeconfig.",
    );
  return { expiresAt, problems };
}

function readCertificate(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}

/** null for an unreadable key. */
function fitsKey(certificate: X509Certificate, pem: string): boolean | null {
  try {
    return certificate.checkPrivateKey(createPrivateKey(pem));
  } catch {
    return null;
  }
}
