import { Refusal } from "./refusal.ts";

const patienceMs = 60_000;

/** waitUntilReady asks every address until each has answered well. */
export async function waitUntilReady(urls: string[], logs: string, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (const url of urls) {
    while (!(await answersWell(url))) {
      if (signal.aborted) throw new Refusal("Stopped while starting.");
      if (Date.now() > deadline) throw new Refusal(`${url} did not get ready within a minute: look into ${logs}.`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function answersWell(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    return response.ok;
  } catch {
    return false;
  }
}
