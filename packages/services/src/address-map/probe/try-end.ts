import { lookup } from "node:dns/promises";
import net from "node:net";
import { familyOf, isAddress } from "@fairlead/domain/address";
import type { TriedEnd } from "@fairlead/domain/address-map";
import { explainConnect, explainResolve, stepMs } from "./explain.ts";
import { shakeHands } from "./shake-hands.ts";

export type EndToTry = {
  host: string;
  port: number;
  by: "tcp" | "tls";
  serverName: string | undefined;
  /** Which addresses must not be connected to, whatever name resolved to them. */
  isRefused: (address: string) => boolean;
};

/** tryEnd connects to an external end, and returns the result and the duration of each step. */
export async function tryEnd({ host, port, by, serverName, isRefused }: EndToTry): Promise<TriedEnd> {
  const tried: TriedEnd = {
    ...{ externalAddress: host, externalPort: port, address: null, resolveMs: null },
    ...{ connectMs: null, handshakeMs: null, tls: null, problem: "" },
  };
  const isName = !isAddress(host);
  if (isName) {
    const began = performance.now();
    const found = await resolve(host);
    if ("problem" in found) return { ...tried, problem: found.problem };
    tried.resolveMs = since(began);
    tried.address = found.address;
  } else tried.address = host;
  if (isRefused(tried.address)) {
    const what = isName ? `${host} is ${tried.address}, which` : host;
    return { ...tried, problem: `${what} may be an address of the control plane itself, so it isn't tried.` };
  }
  const began = performance.now();
  const socket = net.connect({ host: tried.address, port, family: familyOf(tried.address) });
  try {
    await connected(socket);
    tried.connectMs = since(began);
    if (by === "tls") {
      const { ms, seen, problem } = await shakeHands(socket, serverName ?? (isName ? host : undefined), stepMs);
      Object.assign(tried, { handshakeMs: ms, tls: seen, problem });
    }
  } catch (error) {
    tried.problem = explainConnect(error, port);
  } finally {
    socket.destroy();
  }
  return tried;
}

async function resolve(host: string): Promise<{ address: string } | { problem: string }> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("timeout")), stepMs);
  try {
    return await Promise.race([lookup(host), late.promise]);
  } catch (error) {
    return { problem: explainResolve(error, host) };
  } finally {
    clearTimeout(timer);
  }
}

function connected(socket: net.Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(stepMs, () => reject(new Error("timeout")));
    socket.once("connect", () => {
      socket.setTimeout(0);
      resolve();
    });
    socket.once("error", reject);
  });
}

function since(began: number): number {
  return Math.round((performance.now() - began) * 10) / 10;
}
