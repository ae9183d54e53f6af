import type net from "node:net";
import tls from "node:tls";
import type { TriedEnd } from "@fairlead/domain/address-map";
import { explainHandshake } from "./explain.ts";

type Shaken = { ms: number | null; seen: TriedEnd["tls"]; problem: string };

/** shakeHands starts TLS on a connection, with any certificate, and returns what it saw. */
export function shakeHands(socket: net.Socket, serverName: string | undefined, withinMs: number): Promise<Shaken> {
  const began = performance.now();
  const secured = tls.connect({
    socket,
    // The probe inspects: an untrusted certificate is reported, and no data is ever sent.
    rejectUnauthorized: false,
    ALPNProtocols: ["h2", "http/1.1"],
    ...(serverName === undefined ? {} : { servername: serverName }),
  });
  return new Promise((resolve) => {
    const failed = (error: unknown) => {
      clearTimeout(timer);
      resolve({ ms: null, seen: null, problem: explainHandshake(error) });
    };
    const timer = setTimeout(() => failed(new Error("timeout")), withinMs);
    secured.once("error", failed);
    secured.once("close", () => failed(new Error("closed")));
    secured.once("secureConnect", () => {
      clearTimeout(timer);
      const ms = Math.round((performance.now() - began) * 10) / 10;
      resolve({ ms, seen: look(secured, serverName), problem: "" });
      secured.destroy();
    });
  });
}

function look(secured: tls.TLSSocket, serverName: string | undefined): TriedEnd["tls"] {
  const shown = secured.getPeerCertificate();
  const protocol = secured.alpnProtocol;
  return {
    version: secured.getProtocol() ?? "",
    cipher: secured.getCipher().standardName,
    applicationProtocol: typeof protocol === "string" ? protocol : null,
    certificate: shown.valid_from
      ? {
          subject: spell(shown.subject),
          issuer: spell(shown.issuer),
          names: (shown.subjectaltname ?? "").split(", ").filter(Boolean).map(bare).slice(0, 50),
          validFrom: new Date(shown.valid_from),
          validTo: new Date(shown.valid_to),
        }
      : null,
    distrust: distrustOf(secured, shown, serverName),
  };
}

function distrustOf(secured: tls.TLSSocket, shown: tls.PeerCertificate, serverName: string | undefined): string {
  if (!secured.authorized) return `it isn't signed by a public authority: ${secured.authorizationError ?? "unknown"}`;
  if (serverName === undefined) return "";
  return tls.checkServerIdentity(serverName, shown) ? `it is not for ${serverName}` : "";
}

/** A name in one line: CN=redis, O=Example. */
function spell(name: tls.Certificate | undefined): string {
  return Object.entries(name ?? {})
    .map(([key, value]) => `${key}=${Array.isArray(value) ? value.join("+") : value}`)
    .join(", ")
    .slice(0, 500);
}

function bare(name: string): string {
  return name.replace(/^(DNS|IP Address):/, "");
}
