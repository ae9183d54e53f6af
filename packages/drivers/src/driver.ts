/** Change is one thing that a driver made, altered or removed in the outside, in a sentence for people. */
export type Change = { message: string };

/** Driver is the only code that touches one outside system. */
export interface Driver<Ref, Desired extends Ref, Observed> {
  /** set makes the outside equal to desired. A second call with the same value changes nothing and answers []. */
  set(desired: Desired, signal: AbortSignal): Promise<Change[]>;
  /** observe reports what is there now, whatever was asked for. */
  observe(ref: Ref, signal: AbortSignal): Promise<Observed>;
}
