/** Why a map could not be read, or an address not be mapped. */
export type MapErrorKind =
  | "invalid-option"
  | "refused" // the key is none, over, or may not read this map
  | "not-found" // there is no such exposure
  | "rate-limited"
  | "unavailable" // weather: the control plane is away, slow or broken
  | "redirected" // to another server, which must not see the key
  | "malformed" // something answers, but not as a control plane does
  | "too-large"
  | "unknown-address" // a map is there, and the address is not in it
  | "stopped";

const lasting: readonly MapErrorKind[] = ["invalid-option", "refused", "not-found", "redirected"];

/** MapError is everything that this package throws. Its message is for people and never holds the key. */
export class MapError extends Error {
  readonly kind: MapErrorKind;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: MapErrorKind,
    message: string,
    options: { cause?: unknown; status?: number | undefined; retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "MapError";
    this.kind = kind;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** Asking again won't help until somebody changes something. */
  get isLasting(): boolean {
    return lasting.includes(this.kind);
  }
}

/** asMapError keeps ours and calls the rest weather. */
export function asMapError(error: unknown): MapError {
  if (error instanceof MapError) return error;
  return new MapError("unavailable", error instanceof Error ? error.message : String(error), { cause: error });
}
