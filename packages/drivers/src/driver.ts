/** Change is one thing that a driver made, altered or removed in the outside, in a sentence for people. */
export type Change = { message: string };

/** Driver is the only code that touches one outside system. */
export interface Driver<Ref, Desired extends Ref, Observed, Done> {
  /** set makes the outside equal to desired, and says what it did. A second call with the same value changes nothing. */
  set(desired: Desired, signal: AbortSignal): Promise<Done>;
  /** observe reports what is there now, whatever was asked for. */
  observe(ref: Ref, signal: AbortSignal): Promise<Observed>;
}
