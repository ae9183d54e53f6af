/** What an apiserver says of a request that it refuses. */
export type Refusal = {
  status: number;
  /** One word, as Kubernetes spells it: NotFound, Forbidden, Conflict, Expired, … */
  reason: string;
  message: string;
  retryAfterMs: number | null;
};

/** KubernetesError is a refusal by an apiserver, in its own words. */
export class KubernetesError extends Error {
  readonly status: number;
  readonly reason: string;
  /** How long the server asks to be left alone. */
  readonly retryAfterMs: number | null;

  constructor({ status, reason, message, retryAfterMs }: Refusal) {
    super(message);
    this.name = "KubernetesError";
    this.status = status;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

const mostWords = 1_000;

/** readStatus reads a refusal: a Status object from an apiserver, or whatever a proxy before it says. */
export function readStatus(
  status: number,
  headers: Record<string, string | string[] | undefined>,
  text: string,
): Refusal {
  const said = parseStatus(text);
  const seconds = Number(headers["retry-after"] ?? said?.details?.retryAfterSeconds);
  return {
    status,
    reason: said?.reason || `Http${status}`,
    message: (said?.message || text.trim() || `it answered ${status}`).slice(0, mostWords),
    retryAfterMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : null,
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
