import { asMapError, type MapError } from "../errors.ts";
import { backoffMs } from "./backoff.ts";
import { pause } from "./pause.ts";

export type Following = {
  /** Reads the map as it is now. */
  readWhole: () => Promise<void>;
  /** Waits up to so many seconds for the next one; answers whether there was one. */
  waitForNext: (seconds: number) => Promise<boolean>;
  /** Whether what was heard has to be confirmed by a whole read. */
  isInDoubt: () => boolean;
  onProblem: (error: MapError) => void;
  waitSeconds: number;
  random: () => number;
  isRef: boolean;
  signal: AbortSignal;
};

/** A whole read now and then makes a hint that was missed harmless. */
const wholeEveryMs = 300_000;
/** A server that answers at once instead of waiting must not be asked in a tight loop, nor one where all changes at once. */
const quietMs = 1_000;
const busyMs = 20;

/** follow keeps the map current until it is stopped: it waits for changes, and after a failure reads whole again. */
export async function follow(following: Following): Promise<void> {
  const { readWhole, waitForNext, isInDoubt, onProblem, random, isRef, signal } = following;
  let { waitSeconds } = following;
  let readWholeAt = performance.now();
  let failures = 0;
  while (!signal.aborted) {
    const began = performance.now();
    const isWhole = failures > 0 || isInDoubt() || began - readWholeAt > wholeEveryMs;
    try {
      if (isWhole) {
        await readWhole();
        readWholeAt = performance.now();
        if (failures === 0) waitSeconds = following.waitSeconds;
        failures = 0;
        if (isInDoubt()) await pause(busyMs, signal, isRef);
      } else {
        const isNew = await waitForNext(waitSeconds);
        const least = isNew || isInDoubt() ? busyMs : quietMs;
        const early = least - (performance.now() - began);
        if (early > 0) await pause(early * (1 + random() / 4), signal, isRef);
      }
    } catch (error) {
      if (signal.aborted) return;
      const known = asMapError(error);
      failures++;
      onProblem(known);
      const lastedMs = performance.now() - began;
      // Something between here and there cuts long answers off: wait for less.
      if (!isWhole && known.kind === "unavailable" && lastedMs > 2_000)
        waitSeconds = Math.max(1, Math.min(waitSeconds, Math.floor(lastedMs / 2_000)));
      await pause(pauseAfter(known, failures, random), signal, isRef);
    }
  }
}

/** pauseAfter is never shorter than the control plane asks for. What lasts is asked about seldom. */
export function pauseAfter(error: MapError, failures: number, random: () => number): number {
  const own = backoffMs(error.isLasting ? failures + 5 : failures, random);
  return error.retryAfterMs === undefined ? own : Math.max(own, error.retryAfterMs * (1 + random() / 10));
}
