/** Why the map could not be read, or an address could not be mapped. */
export type MapErrorKind =
  | "invalid-option"
  | "refused" // the key is missing, expired, or lacks permission to read this map
  | "not-found" // the exposure doesn't exist
  | "rate-limited"
  | "unavailable" // temporary: the control plane is unreachable, slow or failing
  | "redirected" // to another server, which must not see the key
  | "malformed" // the response is not that of a control plane
  | "too-large"
  | "unknown-address" // the map doesn't contain the address
  | "stopped";

const permanentKinds: readonly MapErrorKind[] = ["invalid-option", "refused", "not-found", "redirected"];

/** MapError is the only error that this package throws. Its message never contains the key. */
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

  /** A retry can't succeed until the key, the exposure or an option changes. */
  get isLasting(): boolean {
    return permanentKinds.includes(this.kind);
  }
}

/** asMapError returns a MapError unchanged and wraps any other error as unavailable. */
export function asMapError(error: unknown): MapError {
  if (error instanceof MapError) return error;
  return new MapError("unavailable", error instanceof Error ? error.message : String(error), { cause: error });
}
