import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the systems' ephemeral ports: while a program is down, any outgoing connection could take such a port.
 */
const range = [20_000, 32_000] as const;
const tries = 200;

/** freePorts returns unused loopback ports, which stay unused while a program is down. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  for (let i = 0; i < tries && found.size < count; i++) {
    const port = randomInt(...range);
    if (await isFree(port)) found.add(port);
  }
  if (found.size < count) throw new Error(`no ${count} free ports between ${range.join(" and ")}`);
  return [...found];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
