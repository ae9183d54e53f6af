import { asMapError, MapError } from "../errors.ts";
import { pauseAfter } from "./follow.ts";
import { pause } from "./pause.ts";

export type Beginning = {
  read: () => Promise<void>;
  /** Whether there is a map to go on with, such as one from disk. */
  hasMap: () => boolean;
  onProblem: (error: MapError) => void;
  /** Who is asked. */
  name: string;
  timeoutMs: number;
  random: () => number;
  signal: AbortSignal;
};

/** With a map to go on with, a start does not wait long for a better one. */
const patienceWithMapMs = 2_000;

/**
 * begin reads the first map. A control plane that is away is asked again until the time is over, or does without where
 * there is a map from before; one that refuses is no weather, and the one who starts learns of it.
 */
export async function begin(beginning: Beginning): Promise<void> {
  const { hasMap, onProblem, timeoutMs, random, signal } = beginning;
  const deadline = performance.now() + timeoutMs;
  let last: MapError | null = null;
  for (let failures = 1; ; failures++) {
    const outcome = await tryOnce(beginning, deadline);
    if (!outcome) return;
    // What was answered before says more than that nothing was answered in the end.
    const error: MapError = outcome === "late" ? (last ?? late(beginning)) : outcome;
    if (signal.aborted) throw error;
    last = error;
    onProblem(error);
    if (!error.isLasting && hasMap()) return;
    const wait = pauseAfter(error, failures, random);
    if (error.isLasting || performance.now() + wait > deadline) throw error;
    await pause(wait, signal, true);
  }
}

/** tryOnce answers what went wrong. A read that is merely slow goes on, and is heard when it comes. */
async function tryOnce({ read, hasMap }: Beginning, deadline: number): Promise<MapError | "late" | null> {
  const left = Math.max(1, deadline - performance.now());
  const enough = new AbortController();
  const tooLong = pause(hasMap() ? Math.min(left, patienceWithMapMs) : left, enough.signal, true);
  const outcome = await Promise.race([read().then(() => null, asMapError), tooLong.then(() => "late" as const)]);
  enough.abort();
  return outcome;
}

function late({ name, timeoutMs }: Beginning): MapError {
  return new MapError("unavailable", `${name} has given no map within ${Math.ceil(timeoutMs)} ms.`);
}
