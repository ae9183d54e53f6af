import { createServer } from "node:net";
import { Refusal } from "./refusal.ts";

/** requireFree refuses a port that we can't listen at, by its reason: another program, our rights, or the host. */
export async function requireFree(port: number, host: string, variable: string): Promise<void> {
  const code = await whyNot(port, host);
  if (code !== null) throw new Refusal(portProblem(code, { port, host, variable }));
}

/** portProblem says what keeps us from a port, and what to do about it. */
export function portProblem(
  code: string,
  { port, host, variable }: { port: number; host: string; variable: string },
): string {
  if (code === "EADDRINUSE")
    return `Port ${port} on ${host} is taken by another program: stop that one, or choose another port with ${variable}=${port === 65_535 ? port - 1 : port + 1} npm start`;
  if (code === "EACCES" && port < 1_024)
    return `This user may not listen at port ${port}: choose one from 1024 on, say with ${variable}=${port + 8_000} npm start, or start as root.`;
  if (code === "EADDRNOTAVAIL")
    return `HOST is ${host}, which is no address of this machine: set it to one that is, such as 127.0.0.1, or to 0.0.0.0 for all of them.`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `HOST is ${host}, a name that can't be looked up (${code}): set it to an address of this machine, such as 127.0.0.1, or to 0.0.0.0 for all of them.`;
  return `Port ${port} on ${host} can't be listened at (${code}): choose another with ${variable}, or another address with HOST.`;
}

/** whyNot answers the code of what keeps us from listening there now, or null. */
function whyNot(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer().once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen(port, host, () => probe.close(() => resolve(null)));
  });
}

/** freePort prefers the given one, so that addresses stay the same from start to start where they can. */
export async function freePort(preferred: number, host: string): Promise<number> {
  if (preferred > 0 && (await whyNot(preferred, host)) === null) return preferred;
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      const port = typeof address === "object" && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
