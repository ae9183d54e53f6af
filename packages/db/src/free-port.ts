import { createServer } from "node:net";

/** whyNotFree returns the error code if listening on the port fails now, or null. */
export function whyNotFree(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer().once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen(port, host, () => probe.close(() => resolve(null)));
  });
}

/** freePort prefers the given port, so that addresses stay the same across restarts if possible. */
export async function freePort(preferred = 0, host = "127.0.0.1"): Promise<number> {
  if (preferred > 0 && (await whyNotFree(preferred, host)) === null) return preferred;
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      const port = typeof address === "object" && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
