import { existsSync, writeFileSync } from "node:fs";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Load is what a client of a lab sends: see carryLoad. */
export type LoadOptions = {
  address: string;
  port: number;
  /** Connections that stay open, and how often each sends a request. */
  open: number;
  everyMs: number;
  /** New connections in each second, with one request each. */
  perSecond: number;
  /** The client writes the first file once all connections are open, and ends when the second one exists. */
  readyFile: string;
  endFile: string;
};

/** Failure is a connection that was refused, reset or closed, or that got no answer in time. at: in ms since 1970. */
export type Failure = { at: number; message: string };
export type Load = {
  open: number;
  broken: Failure[];
  /** The new connections that began in each second since 1970, by the pod that answered. */
  answers: Record<string, Record<string, number>>;
  failed: Failure[];
};

const request = "GET / HTTP/1.1\r\nHost: lab\r\n";
const answersWithinMs = 10_000;
const tickMs = 20;
const openedPerTick = 20;

/** carryLoad runs in the namespace of a client. */
export async function carryLoad(options: LoadOptions): Promise<Load> {
  const { address: host, port, open, everyMs, perSecond, readyFile, endFile } = options;
  // A closed connection holds its port for a minute.
  writeFileSync("/proc/sys/net/ipv4/ip_local_port_range", "1024 65535");
  const load: Load = { open, broken: [], answers: {}, failed: [] };
  const held: Held[] = [];
  while (held.length < open) {
    for (let i = 0; i < openedPerTick && held.length < open; i++)
      held.push(hold({ host, port }, (each) => load.broken.push(each)));
    await sleep(tickMs);
  }
  const began = performance.now();
  let asked = 0;
  let visits = 0;
  const running = new Set<Promise<void>>();
  while (!existsSync(endFile)) {
    const ms = performance.now() - began;
    for (; asked < (ms / everyMs) * open; asked++) held[asked % open]?.ask();
    for (; visits < (ms / 1_000) * perSecond; visits++) {
      const visiting = visit({ host, port }, load).finally(() => running.delete(visiting));
      running.add(visiting);
    }
    if (asked >= open && !existsSync(readyFile)) writeFileSync(readyFile, "");
    await sleep(tickMs);
  }
  await Promise.all(running);
  for (const each of held) each.ask();
  const until = performance.now() + answersWithinMs;
  while (held.some((each) => each.isWaiting()) && performance.now() < until) await sleep(tickMs);
  for (const each of held) each.end();
  return load;
}

type Held = { ask: () => void; isWaiting: () => boolean; end: () => void };

/** hold opens a connection that stays open. It breaks once, and isn't opened again. */
function hold(to: { host: string; port: number }, broke: (failure: Failure) => void): Held {
  const socket = net.connect({ ...to, noDelay: true });
  let isOver = false;
  let since: number | null = null;
  function fail(message: string): void {
    if (isOver) return;
    isOver = true;
    broke({ at: Date.now(), message });
    socket.destroy();
  }
  socket.on("data", () => (since = null));
  socket.on("error", ({ message }) => fail(message));
  socket.on("close", () => fail("closed"));
  return {
    ask() {
      if (isOver) return;
      if (since === null) {
        since = performance.now();
        socket.write(`${request}\r\n`);
      } else if (performance.now() - since > answersWithinMs) fail(late);
    },
    isWaiting: () => !isOver && since !== null,
    end() {
      if (since !== null) fail(late);
      isOver = true;
      socket.destroy();
    },
  };
}

const late = `no answer within ${answersWithinMs / 1_000} s`;

/** visit opens a connection for one request. */
function visit(to: { host: string; port: number }, load: Load): Promise<void> {
  const at = Date.now();
  return new Promise((resolve) => {
    const socket = net.connect({ ...to, noDelay: true }, () => socket.write(`${request}Connection: close\r\n\r\n`));
    let text = "";
    let failure = "closed without an answer";
    socket.setTimeout(answersWithinMs, () => socket.destroy(new Error(late)));
    socket.on("data", (data) => (text += data.toString()));
    socket.on("error", ({ message }) => (failure = message));
    socket.on("close", () => {
      const [head = "", pod = ""] = text.split("\r\n\r\n");
      if (head.startsWith("HTTP/1.1 200")) {
        const second = String(Math.floor(at / 1_000));
        const counts = load.answers[second] ?? {};
        load.answers[second] = { ...counts, [pod.trim()]: (counts[pod.trim()] ?? 0) + 1 };
      } else load.failed.push({ at, message: failure });
      resolve();
    });
  });
}
