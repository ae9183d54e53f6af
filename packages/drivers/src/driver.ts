/** Change is one creation, change or removal by a driver, as a sentence for users. */
export type Change = { message: string };

/** Driver is the only code that touches one outside system. */
export interface Driver<Ref, Desired extends Ref, Observed, Done> {
  /** set makes the outside equal to desired, and returns its changes. A second call with the same value changes nothing. */
  set(desired: Desired, signal: AbortSignal): Promise<Done>;
  /** observe returns the current state, independent of the desired one. */
  observe(ref: Ref, signal: AbortSignal): Promise<Observed>;
}
