import { generateKeyPairSync, webcrypto, X509Certificate } from "node:crypto";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  authorityFingerprint,
  ensureAuthority,
  issueServerCertificate,
  readCertificateRequest,
  signAgentCertificate,
} from "./index.ts";
import { Pkcs10CertificateRequestGenerator } from "./x509.ts";

const secret = "a-secret-of-thirty-two-characters!";
const now = new Date("2026-11-20T12:00:00Z");

describe("the control plane's certificate authority", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it("has no fingerprint before a controller created it, and reports what to do", async () => {
    await expect(authorityFingerprint(database.db)).rejects.toThrow("Start it and try again");
  });

  it("is created once, whichever process is first", async () => {
    const made = await Promise.all([1, 2, 3, 4].map(() => ensureAuthority(database.db, secret, now)));
    expect(new Set(made.map((each) => each.fingerprint)).size).toBe(1);
    expect(await database.db.certificateAuthority.count()).toBe(1);
    expect(await authorityFingerprint(database.db)).toBe(made[0]?.fingerprint);
  });

  it("keeps its key sealed", async () => {
    const row = await database.db.certificateAuthority.findFirstOrThrow({ omit: { encryptedKey: false } });
    expect(row.encryptedKey).toMatch(/^v1\./);
    await expect(ensureAuthority(database.db, "a-wrong-secret-of-thirty-two-chars", now)).rejects.toThrow(
      "another FAIRLEAD_SECRET",
    );
  });

  it("issues a server certificate for the gateway's name and every configured one", async () => {
    const authority = await ensureAuthority(database.db, secret, now);
    const issued = await issueServerCertificate(authority, ["agents.example.com", "192.0.2.7"], now);
    const [leaf] = issued.chain.split(/(?<=-----END CERTIFICATE-----)\s*/);
    const certificate = new X509Certificate(leaf ?? "");
    expect(certificate.checkIssued(new X509Certificate(authority.der))).toBe(true);
    expect(certificate.verify(new X509Certificate(authority.der).publicKey)).toBe(true);
    for (const name of ["fairlead-gateway", "localhost", "agents.example.com"])
      expect(certificate.checkHost(name)).toBe(name);
    for (const address of ["127.0.0.1", "192.0.2.7"]) expect(certificate.checkIP(address)).toBe(address);
    expect(issued.expiresAt).toEqual(new Date("2026-12-20T12:00:00Z"));
  });

  it("signs an agent's key for that agent's id alone, whatever the request asks for", async () => {
    const authority = await ensureAuthority(database.db, secret, now);
    const keys = await p256();
    const request = await requestFor(keys, "CN=agt_another");
    const key = await readCertificateRequest(request);
    const signed = await signAgentCertificate(authority, key, "agt_me", now);
    const certificate = new X509Certificate(signed.der);
    expect(certificate.subject).toBe("CN=agt_me");
    expect(certificate.ca).toBe(false);
    expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.2"]);
    expect(certificate.serialNumber.toLowerCase()).toBe(signed.serial);
    expect(certificate.verify(new X509Certificate(authority.der).publicKey)).toBe(true);
  });

  it("refuses a request whose signature is not its key's", async () => {
    const request = await requestFor(await p256(), "CN=x");
    const broken = Buffer.from(request);
    broken.writeUInt8(broken.readUInt8(broken.length - 3) ^ 1, broken.length - 3);
    await expect(readCertificateRequest(broken)).rejects.toThrow("signature does not fit");
  });

  it("refuses other kinds of key", async () => {
    const rsa = await webcrypto.subtle.generateKey(
      { name: "RSASSA-PKCS1-v1_5", modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" },
      true,
      ["sign", "verify"],
    );
    const p384 = await webcrypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-384" }, true, ["sign", "verify"]);
    for (const keys of [rsa, p384])
      await expect(readCertificateRequest(await requestFor(keys, "CN=x"))).rejects.toThrow("P-256");
  });

  it.each([
    ["nothing", Buffer.alloc(0)],
    ["noise", Buffer.from("certificate please")],
    ["a bare key", generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "der" })],
    ["far too much", Buffer.alloc(100_000)],
  ])("refuses %s as a request", async (_, der) => {
    await expect(readCertificateRequest(der)).rejects.toThrow("can't be used");
  });
});

function p256(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
}

async function requestFor(keys: webcrypto.CryptoKeyPair, name: string): Promise<Buffer> {
  const rsa = keys.publicKey.algorithm.name === "RSASSA-PKCS1-v1_5";
  const signingAlgorithm = rsa ? { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" } : { name: "ECDSA", hash: "SHA-256" };
  const request = await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm });
  return Buffer.from(request.rawData);
}
