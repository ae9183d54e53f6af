import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from "./x509.ts";

export type TestHttpsServer = {
  url: string;
  /** Its certificate, which is self-signed. */
  authority: string;
  /** The received requests in order: method, path and authorization. */
  requests: string[];
  bodies: string[];
  close: () => Promise<void>;
};

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const signing = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const day = 86_400_000;

/** startHttpsServer starts a server in place of an API, with a certificate that may be wrong. */
export async function startHttpsServer(
  answer: Answer,
  { name = "127.0.0.1", endsInMs = day }: { name?: string; endsInMs?: number } = {},
): Promise<TestHttpsServer> {
  const { certificate, key } = await makeCertificate(name, endsInMs);
  const requests: string[] = [];
  const bodies: string[] = [];
  const server = createServer({ cert: certificate, key }, (request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization ?? "anonymous"}`);
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      bodies.push(body);
      answer(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authority: certificate,
    requests,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function makeCertificate(name: string, endsInMs: number): Promise<{ certificate: string; key: string }> {
  const keys = await crypto.subtle.generateKey(signing, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: "CN=test",
    keys,
    signingAlgorithm: signing,
    serialNumber: randomBytes(8).toString("hex"),
    notBefore: new Date(Date.now() + Math.min(0, endsInMs) - day),
    notAfter: new Date(Date.now() + endsInMs),
    extensions: [
      new SubjectAlternativeNameExtension([
        /^[\d.]+$/.test(name) ? { type: "ip", value: name } : { type: "dns", value: name },
      ]),
    ],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  return {
    certificate: `${certificate.toString("pem")}\n`,
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`,
  };
}

/** makeOtherAuthority returns a CA that issued no certificate here. */
export async function makeOtherAuthority(): Promise<string> {
  return (await makeCertificate("elsewhere.example", day)).certificate;
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
