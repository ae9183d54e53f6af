import { whyNotFree } from "@fairlead/db/free-port";
import { Refusal } from "../refusal.ts";

/** requireFree throws if this process can't listen on a port, with the cause: another program, permissions, or the host. */
export async function requireFree(port: number, host: string, variable: string): Promise<void> {
  const code = await whyNotFree(port, host);
  if (code !== null) throw new Refusal(portProblem(code, { port, host, variable }));
}

/** portProblem returns why the port can't be used, and how to fix it. */
export function portProblem(
  code: string,
  { port, host, variable }: { port: number; host: string; variable: string },
): string {
  if (code === "EADDRINUSE")
    return `Port ${port} on ${host} is taken by another program. Stop that program, or choose another port with ${variable}=${port === 65_535 ? port - 1 : port + 1} npm start`;
  if (code === "EACCES" && port < 1_024)
    return `This user may not listen on port ${port}. Choose one from 1024 on, for example with ${variable}=${port + 8_000} npm start, or start as root.`;
  if (code === "EADDRNOTAVAIL")
    return `HOST is ${host}, which is not an address of this machine. Set it to one of them, such as 127.0.0.1, or to 0.0.0.0 for all.`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `HOST is ${host}, which can't be resolved (${code}). Set it to an address of this machine, such as 127.0.0.1, or to 0.0.0.0 for all.`;
  return `Port ${port} on ${host} can't be used (${code}). Choose another with ${variable}, or another address with HOST.`;
}
