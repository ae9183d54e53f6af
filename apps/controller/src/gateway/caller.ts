import { X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import type { TLSSocket } from "node:tls";
import { DomainError } from "@fairlead/domain";

/** Caller is who a connection's certificate says it is. Whether that still counts is the directory's to say. */
export type Caller = { agentId: string; serial: string; expiresAt: Date };

const clientAuth = "1.3.6.1.5.5.7.3.2";

/**
 * Callers reads the identity of each connection once. The TLS layer lets everybody in, because enrolment has no
 * certificate yet, so the chain is judged here: signed by our CA, meant for clients, within its time.
 */
export class Callers {
  readonly #authority: X509Certificate;
  readonly #known = new WeakMap<object, Caller | null>();

  constructor(authorityDer: Buffer) {
    this.#authority = new X509Certificate(authorityDer);
  }

  /** of answers null for a connection without a certificate of ours. */
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

/** identified refuses a connection that showed no certificate, or one that has run out since. */
export function identified(caller: Caller | null, now: Date): Caller {
  if (!caller)
    throw new DomainError(
      "unauthenticated",
      "This call needs a client certificate that this control plane has issued. Enrol the agent first.",
    );
  if (caller.expiresAt <= now)
    throw new DomainError(
      "unauthenticated",
      `This agent's certificate ran out at ${caller.expiresAt.toISOString()}. Enrol it with a new token.`,
    );
  return caller;
}
