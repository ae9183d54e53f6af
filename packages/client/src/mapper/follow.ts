import { asMapError, type MapError } from "../errors.ts";
import { backoffMs } from "./backoff.ts";
import { pause } from "./pause.ts";

export type Following = {
  /** Reads the map as it is now. */
  readWhole: () => Promise<void>;
  /** Long-polls for up to this many seconds for the next map; returns whether there was one. */
  waitForNext: (seconds: number) => Promise<boolean>;
  /** Whether the last map must be confirmed by a full read. */
  isInDoubt: () => boolean;
  onProblem: (error: MapError) => void;
  waitSeconds: number;
  random: () => number;
  isRef: boolean;
  signal: AbortSignal;
};

/** A periodic full read makes a missed change harmless. */
const fullReadIntervalMs = 300_000;
/** Limits the request rate for a server that answers at once instead of waiting, and for bursts of changes. */
const idleIntervalMs = 1_000;
const busyIntervalMs = 20;

/** follow keeps the map current until it is stopped: it long-polls for changes, and after a failure reads the full map. */
export async function follow(following: Following): Promise<void> {
  const { readWhole, waitForNext, isInDoubt, onProblem, random, isRef, signal } = following;
  let { waitSeconds } = following;
  let readWholeAt = performance.now();
  let failures = 0;
  while (!signal.aborted) {
    const began = performance.now();
    const isWhole = failures > 0 || isInDoubt() || began - readWholeAt > fullReadIntervalMs;
    try {
      if (isWhole) {
        await readWhole();
        readWholeAt = performance.now();
        if (failures === 0) waitSeconds = following.waitSeconds;
        failures = 0;
        if (isInDoubt()) await pause(busyIntervalMs, signal, isRef);
      } else {
        const isNew = await waitForNext(waitSeconds);
        const least = isNew || isInDoubt() ? busyIntervalMs : idleIntervalMs;
        const early = least - (performance.now() - began);
        if (early > 0) await pause(early * (1 + random() / 4), signal, isRef);
      }
    } catch (error) {
      if (signal.aborted) return;
      const known = asMapError(error);
      failures++;
      onProblem(known);
      const lastedMs = performance.now() - began;
      // A proxy in between may cut off long polls: shorten them.
      if (!isWhole && known.kind === "unavailable" && lastedMs > 2_000)
        waitSeconds = Math.max(1, Math.min(waitSeconds, Math.floor(lastedMs / 2_000)));
      await pause(pauseAfter(known, failures, random), signal, isRef);
    }
  }
}

/** pauseAfter is at least the Retry-After of the control plane. After permanent errors retries are rare. */
export function pauseAfter(error: MapError, failures: number, random: () => number): number {
  const own = backoffMs(error.isLasting ? failures + 5 : failures, random);
  return error.retryAfterMs === undefined ? own : Math.max(own, error.retryAfterMs * (1 + random() / 10));
}
