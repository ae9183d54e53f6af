import { describeOutage } from "@fairlead/services";
import type { Log } from "@fairlead/telemetry";

export type Repeated = { stop: () => Promise<void> };

/** repeat runs work periodically with a pause between runs. A failure is logged once, until it succeeds again. */
export function repeat(
  what: string,
  work: (stopping: AbortSignal) => Promise<unknown>,
  pauseMs: number,
  log: Log,
): Repeated {
  const stopping = new AbortController();
  let failing = false;
  let timer: NodeJS.Timeout;
  let wake: () => void = () => {};

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, pauseMs);
      });
      if (stopping.signal.aborted) return;
      try {
        await work(stopping.signal);
        failing = false;
      } catch (err) {
        if (!failing) log[describeOutage(err) ? "warn" : "error"](`could not ${what}; trying again`, { err });
        failing = true;
      }
    }
  }
  const running = run();
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      wake();
      await running;
    },
  };
}
