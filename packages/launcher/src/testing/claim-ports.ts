import { createServer, type Server } from "node:net";
import { whyNotFree } from "@fairlead/db/free-port";

/** Below the ephemeral ports, so that none of a block is taken by an outgoing connection. */
const lowest = 20_000;
const blocks = 1_000;
const size = 10;

/**
 * claimPorts reserves a block of ten ports on loopback, until this process ends or releases them, and returns the first. The
 * claim is a socket that listens on the first port; the other nine are free for use. Another process, also in another
 * checkout, finds the first port taken.
 */
export async function claimPorts(): Promise<{ first: number; release: () => Promise<void> }> {
  const start = process.pid % blocks;
  for (let i = 0; i < blocks; i++) {
    const first = lowest + ((start + i) % blocks) * size;
    const claim = await listen(first);
    if (!claim) continue;
    const release = () => new Promise<void>((resolve) => claim.close(() => resolve()));
    if (await areFree(first + 1, size - 1)) return { first, release };
    await release();
  }
  throw new Error(`no ${size} consecutive ports are free between ${lowest} and ${lowest + blocks * size}`);
}

function listen(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy()).once("error", () => resolve(null));
    server.listen(port, "127.0.0.1", () => resolve(server.unref()));
  });
}

async function areFree(from: number, count: number): Promise<boolean> {
  for (let port = from; port < from + count; port++) if ((await whyNotFree(port, "127.0.0.1")) !== null) return false;
  return true;
}
