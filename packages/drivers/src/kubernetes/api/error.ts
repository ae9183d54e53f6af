import { readRetryAfter } from "@fairlead/http";

/** An apiserver's response to a refused request. */
export type Refusal = {
  status: number;
  /** One word, as Kubernetes spells it: NotFound, Forbidden, Conflict, Expired, … */
  reason: string;
  message: string;
  retryAfterMs: number | null;
};

/** KubernetesError is a refusal by an apiserver, with its message. */
export class KubernetesError extends Error {
  readonly status: number;
  readonly reason: string;
  /** The server's Retry-After. */
  readonly retryAfterMs: number | null;

  constructor({ status, reason, message, retryAfterMs }: Refusal) {
    super(message);
    this.name = "KubernetesError";
    this.status = status;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

const maxMessageLength = 1_000;

/** readStatus reads a refusal: a Status object from an apiserver, or the response of a proxy in front of it. */
export function readStatus(
  status: number,
  headers: Record<string, string | string[] | undefined>,
  text: string,
): Refusal {
  const body = parseStatus(text);
  return {
    status,
    reason: body?.reason || `Http${status}`,
    message: (body?.message || text.trim() || `it returned status ${status}`).slice(0, maxMessageLength),
    retryAfterMs: readRetryAfter(headers["retry-after"] ?? body?.details?.retryAfterSeconds),
  };
}

type Status = { kind?: string; reason?: string; message?: string; details?: { retryAfterSeconds?: number } };

function parseStatus(text: string): Status | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : null;
  } catch {
    return null;
  }
}
