import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "../refusal.ts";

const timeoutMs = 60_000;
const responseTimeoutMs = 2_000;

/** waitUntilReady polls every URL until each has returned 200. */
export async function waitUntilReady(urls: string[], logs: string, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (const url of urls) {
    while (!(await isReady(url))) {
      if (signal.aborted) throw new Refusal("Stopped during startup.");
      if (Date.now() > deadline)
        throw new Refusal(`${url} was not ready within ${timeoutMs / 1_000} s. See the logs in ${logs}.`);
      await sleep(100, undefined, { signal }).catch(() => {});
    }
  }
}

/** Uses node:http, because loading fetch costs more than all of these requests. */
function isReady(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, signal: AbortSignal.timeout(responseTimeoutMs) }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on("error", () => resolve(false));
  });
}
