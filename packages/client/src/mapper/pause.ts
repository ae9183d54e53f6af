/** pause waits, and no longer once the signal says so. It never throws. */
export function pause(ms: number, signal: AbortSignal, isRef: boolean): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (!isRef) timer.unref();
    signal.addEventListener("abort", end, { once: true });
  });
}
