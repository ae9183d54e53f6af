import { setTimeout as sleep } from "node:timers/promises";

/** pause waits for the time, or until the signal aborts. It never throws. */
export async function pause(ms: number, signal: AbortSignal, isRef: boolean): Promise<void> {
  await sleep(ms, undefined, { signal, ref: isRef }).catch(() => {});
}
