/** What was wrong with a feed. */
export type FeedFault =
  | "no-key"
  | "unreachable"
  | "too-slow"
  | "refused"
  | "redirected"
  | "elsewhere"
  | "too-long"
  | "truncated"
  | "malformed"
  | "endless"
  | "wrong-currency"
  | "no-price"
  | "negative-price"
  | "unknown-unit"
  | "ambiguous"
  | "empty";

/** FeedRefused means that a feed was rejected as a whole. Its message is shown to users, and never contains a key. */
export class FeedRefused extends Error {
  readonly fault: FeedFault;

  constructor(fault: FeedFault, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "FeedRefused";
    this.fault = fault;
  }
}
