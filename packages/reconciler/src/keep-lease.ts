import { LeaseLost } from "./task.ts";

export type KeptLease = { signal: AbortSignal; stop: () => void };

/**
 * keepLease renews a lease while work runs, and aborts the work once the lease is no longer certain: when another
 * controller has it, or when it could not be renewed for as long as it lasts.
 */
export function keepLease(renew: () => Promise<boolean>, leaseMs: number): KeptLease {
  const lost = new AbortController();
  let stopped = false;
  let renewal: NodeJS.Timeout;
  let deadline = setTimeout(expire, leaseMs);

  function expire() {
    end();
    lost.abort(new LeaseLost("it could not be renewed in time"));
  }

  function end() {
    stopped = true;
    clearTimeout(renewal);
    clearTimeout(deadline);
  }

  function schedule() {
    renewal = setTimeout(() => void attempt(), leaseMs / 3);
  }

  async function attempt() {
    const requestedAt = performance.now();
    try {
      const ours = await renew();
      if (stopped) return;
      if (!ours) {
        end();
        lost.abort(new LeaseLost("another controller took the object over"));
        return;
      }
      clearTimeout(deadline);
      // Counted from the request: PostgreSQL may have answered late.
      deadline = setTimeout(expire, requestedAt + leaseMs - performance.now());
    } catch {
      // A database outage. The deadline keeps running.
    }
    if (!stopped) schedule();
  }

  schedule();
  return { signal: lost.signal, stop: end };
}
