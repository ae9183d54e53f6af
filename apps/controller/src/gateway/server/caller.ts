import { X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import type { TLSSocket } from "node:tls";
import { DomainError } from "@fairlead/domain";

/** Caller is the identity in a connection's certificate. The directory decides whether it is still valid. */
export type Caller = { agentId: string; serial: string; expiresAt: Date };

const clientAuth = "1.3.6.1.5.5.7.3.2";

/**
 * Callers reads the identity of each connection once. The TLS layer accepts every client, because enrolment has no
 * certificate yet. So the certificate is checked here: signed by our CA, meant for clients, not expired.
 */
export class Callers {
  readonly #authority: X509Certificate;
  readonly #known = new WeakMap<object, Caller | null>();

  constructor(authorityDer: Buffer) {
    this.#authority = new X509Certificate(authorityDer);
  }

  /** of returns null for a connection without a certificate of ours. */
  of(request: IncomingMessage | Http2ServerRequest): Caller | null {
    const connection = "stream" in request ? (request.stream.session ?? request.socket) : request.socket;
    const known = this.#known.get(connection);
    if (known !== undefined) return known;
    const caller = this.#read(request.socket as TLSSocket);
    this.#known.set(connection, caller);
    return caller;
  }

  #read(socket: TLSSocket): Caller | null {
    const certificate = socket.getPeerX509Certificate?.();
    if (!certificate) return null;
    if (!certificate.checkIssued(this.#authority) || !certificate.verify(this.#authority.publicKey)) return null;
    const [, agentId] = /^CN=(agt_[0-9a-z]{1,40})$/.exec(certificate.subject) ?? [];
    if (!agentId || certificate.ca || !certificate.keyUsage?.includes(clientAuth)) return null;
    const serial = certificate.serialNumber.toLowerCase();
    return { agentId, serial, expiresAt: new Date(certificate.validTo) };
  }
}

/** identified rejects a connection without a certificate, or with one that has expired meanwhile. */
export function identified(caller: Caller | null, now: Date): Caller {
  if (!caller)
    throw new DomainError(
      "unauthenticated",
      "This call needs a client certificate issued by this control plane. Enrol the agent first.",
    );
  if (caller.expiresAt <= now)
    throw new DomainError(
      "unauthenticated",
      `This agent's certificate expired at ${caller.expiresAt.toISOString()}. Enrol it with a new token.`,
    );
  return caller;
}
