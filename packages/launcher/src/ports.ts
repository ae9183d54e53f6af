import { whyNotFree } from "@fairlead/db/free-port";
import { Refusal } from "./refusal.ts";

/** requireFree refuses a port that we can't listen at, by its reason: another program, our rights, or the host. */
export async function requireFree(port: number, host: string, variable: string): Promise<void> {
  const code = await whyNotFree(port, host);
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
