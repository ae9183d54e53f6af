import { setTimeout as sleep } from "node:timers/promises";
import { send } from "./send.ts";

export type EarlyAnswers = { statuses: Set<number>; stop: () => void };

const everyMs = 5;

/** knock sends requests for a foreign host name from before the dashboard listens: they may pass no guard at any time. */
export function knock(url: string): EarlyAnswers {
  const statuses = new Set<number>();
  let isStopped = false;
  void (async () => {
    while (!isStopped) {
      const answer = await send(`${url}/api/v1/openapi.json`, { headers: { host: "evil.example" } }).catch(() => null);
      if (answer) statuses.add(answer.status);
      await sleep(everyMs);
    }
  })();
  return {
    statuses,
    stop: () => {
      isStopped = true;
    },
  };
}
