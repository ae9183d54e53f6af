import { type Db, inTransaction, type Tx } from "@fairlead/db";
import { openSecretBox } from "../secret/index.ts";
import { day, keyAlgorithm, newSerial, toDer, validity } from "./certificate.ts";
import { authorityId, fingerprintOf } from "./fingerprint.ts";
import { waitForTurn } from "./wait-for-turn.sql.ts";
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "./x509.ts";

/** Derived from importKey: where the browser's types are also loaded there are two CryptoKey types. */
type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** The control plane's own CA. Its unencrypted key exists only here, in memory. */
export type Authority = {
  certificate: X509Certificate;
  der: Buffer;
  pem: string;
  fingerprint: string;
  key: SigningKey;
};

const lifetimeMs = 10 * 365 * day;

/** ensureAuthority opens the CA, and creates it if this process is the first to need it. */
export async function ensureAuthority(db: Db, secret: string, now: Date): Promise<Authority> {
  const existing = await load(db, secret);
  if (existing) return existing;
  return inTransaction(db, async (tx) => {
    await waitForTurn(tx);
    return (await load(tx, secret)) ?? (await create(tx, secret, now));
  });
}

async function load(tx: Tx, secret: string): Promise<Authority | null> {
  const row = await tx.certificateAuthority.findUnique({ where: { id: authorityId }, omit: { encryptedKey: false } });
  if (!row) return null;
  const pkcs8 = Buffer.from(box(secret).open(row.encryptedKey), "base64");
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, keyAlgorithm, false, ["sign"]);
  return toAuthority(new X509Certificate(row.certificate), key);
}

async function create(tx: Tx, secret: string, now: Date): Promise<Authority> {
  const keys = await crypto.subtle.generateKey(keyAlgorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: "CN=Fairlead agents",
    keys,
    signingAlgorithm: keyAlgorithm,
    serialNumber: newSerial(),
    ...validity(now, lifetimeMs),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  const encryptedKey = box(secret).seal(pkcs8.toString("base64"));
  await tx.certificateAuthority.create({
    data: { id: authorityId, certificate: new Uint8Array(certificate.rawData), encryptedKey },
  });
  return toAuthority(certificate, keys.privateKey);
}

function toAuthority(certificate: X509Certificate, key: SigningKey): Authority {
  const der = toDer(certificate);
  return { certificate, der, pem: certificate.toString("pem"), fingerprint: fingerprintOf(der), key };
}

function box(secret: string) {
  return openSecretBox(secret, "certificate-authority");
}
