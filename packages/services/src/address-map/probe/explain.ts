/** The time limit of each step of a probe; for a client, a slower server is as good as silent. */
export const stepMs = 3_000;

/** explainConnect returns what to check when no connection was established. */
export function explainConnect(error: unknown, port: number): string {
  switch (codeOf(error)) {
    case "ECONNREFUSED":
      return `Nothing listens at port ${port}, or its firewall refuses.`;
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "EADDRNOTAVAIL":
      return "No route from the control plane leads there.";
    case "timeout":
    case "ETIMEDOUT":
      return `No answer within ${stepMs / 1_000} s: a firewall drops it, the address isn't announced, or nothing forwards it.`;
    case "ECONNRESET":
      return "The connection was reset at once: the host with the address has no backend for it.";
    default:
      return `No connection: ${codeOf(error)}.`;
  }
}

export function explainResolve(error: unknown, host: string): string {
  switch (codeOf(error)) {
    case "ENOTFOUND":
      return `No name server has ${host} yet.`;
    case "timeout":
    case "EAI_AGAIN":
      return `The name servers did not answer for ${host}.`;
    default:
      return `${host} could not be resolved: ${codeOf(error)}.`;
  }
}

export function explainHandshake(error: unknown): string {
  const code = codeOf(error);
  switch (code) {
    case "timeout":
      return `The connection is accepted, but TLS isn't answered within ${stepMs / 1_000} s: the port may use another protocol.`;
    case "closed":
    case "ECONNRESET":
      return "The connection is accepted, but closed when TLS starts: the port may use another protocol.";
    case "ERR_SSL_WRONG_VERSION_NUMBER":
    case "ERR_SSL_PACKET_LENGTH_TOO_LONG":
      return "The connection is accepted, but the response isn't TLS.";
    case "ERR_SSL_TLSV1_UNRECOGNIZED_NAME":
      return "The connection is accepted, but there is no server with that name.";
    default:
      return `The connection is accepted, but TLS fails: ${code}.`;
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
