/** What was wrong with a feed. Tests and people tell them apart by these. */
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

/** FeedRefused says why nothing is taken from a feed. Its message is for people, and holds no key. */
export class FeedRefused extends Error {
  readonly fault: FeedFault;

  constructor(fault: FeedFault, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "FeedRefused";
    this.fault = fault;
  }
}
