import { asMapError, MapError } from "../errors.ts";
import { pauseAfter } from "./follow.ts";
import { pause } from "./pause.ts";

export type FirstRead = {
  read: () => Promise<void>;
  /** Whether there is a map to start with, such as one from disk. */
  hasMap: () => boolean;
  onProblem: (error: MapError) => void;
  /** The server's name in error messages. */
  name: string;
  timeoutMs: number;
  random: () => number;
  signal: AbortSignal;
};

/** With a map from disk, the start doesn't wait long for a newer one. */
const patienceWithMapMs = 2_000;

/**
 * readFirstMap reads the first map. While the control plane is unreachable it retries until the timeout, or continues
 * with an existing map. If the control plane refuses, the caller gets the error.
 */
export async function readFirstMap(options: FirstRead): Promise<void> {
  const { hasMap, onProblem, timeoutMs, random, signal } = options;
  const deadline = performance.now() + timeoutMs;
  let last: MapError | null = null;
  for (let failures = 1; ; failures++) {
    const outcome = await tryOnce(options, deadline);
    if (!outcome) return;
    // An earlier error is more specific than a timeout at the end.
    const error: MapError = outcome === "timedOut" ? (last ?? timedOut(options)) : outcome;
    if (signal.aborted) throw error;
    last = error;
    onProblem(error);
    if (!error.isLasting && hasMap()) return;
    const wait = pauseAfter(error, failures, random);
    if (error.isLasting || performance.now() + wait > deadline) throw error;
    await pause(wait, signal, true);
  }
}

/** tryOnce returns the error, if any. A read that is merely slow continues, and its result is used when it arrives. */
async function tryOnce({ read, hasMap }: FirstRead, deadline: number): Promise<MapError | "timedOut" | null> {
  const left = Math.max(1, deadline - performance.now());
  const enough = new AbortController();
  const tooLong = pause(hasMap() ? Math.min(left, patienceWithMapMs) : left, enough.signal, true);
  const outcome = await Promise.race([read().then(() => null, asMapError), tooLong.then(() => "timedOut" as const)]);
  enough.abort();
  return outcome;
}

function timedOut({ name, timeoutMs }: FirstRead): MapError {
  return new MapError("unavailable", `${name} returned no map within ${Math.ceil(timeoutMs)} ms.`);
}
