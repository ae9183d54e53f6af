import { createServer } from "node:net";
import { Refusal } from "./refusal.ts";

/** isFree says whether we could listen there now. */
export function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once("error", () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}

export async function requireFree(port: number, host: string, variable: string): Promise<void> {
  if (await isFree(port, host)) return;
  throw new Refusal(
    `Port ${port} on ${host} is taken by another program: stop that one, or choose another port with ${variable}=${port === 65_535 ? port - 1 : port + 1} npm start`,
  );
}

/** freePort prefers the given one, so that addresses stay the same from start to start where they can. */
export async function freePort(preferred: number, host: string): Promise<number> {
  if (preferred > 0 && (await isFree(preferred, host))) return preferred;
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      const port = typeof address === "object" && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
