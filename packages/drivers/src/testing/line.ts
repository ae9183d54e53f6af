import { connect, createServer, type Socket } from "node:net";
import { Transform } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** Line is a TCP proxy to a server that can simulate network faults. */
export type Line = {
  url: string;
  /** Closes every connection; new ones work. */
  drop: () => void;
  /** Closes every connection, and rejects new ones. */
  cut: () => void;
  /** Keeps every connection but forwards nothing, not even an end, like an unplugged cable. */
  freeze: () => void;
  /** Delays every chunk, like a slow link that forwards one chunk at a time. */
  delay: (ms: number) => void;
  /** Ends all faults. */
  mend: () => void;
  stop: () => Promise<void>;
};

/** openLine opens a proxy to a target on another port. Unlike a browser's offline mode, it also affects open streams. */
export async function openLine(target: string): Promise<Line> {
  const { protocol, hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let delayMs = 0;
  let frozen: PromiseWithResolvers<void> | null = null;

  const passes = async () => {
    if (delayMs > 0) await sleep(delayMs);
    while (frozen) await frozen.promise;
  };
  const carry = (from: Socket, to: Socket) => {
    const valve = new Transform({
      transform: (chunk, _encoding, done) => void passes().then(() => done(null, chunk)),
      flush: (done) => void passes().then(() => done()),
    });
    from.pipe(valve).pipe(to);
    sockets.add(from);
    from.on("error", () => {}); // handled on close
    from.once("close", async () => {
      sockets.delete(from);
      // A regular end is forwarded after the data before it, an interruption at once.
      if (from.readableEnded && from.writableFinished) return;
      await passes();
      to.destroy();
    });
  };

  // Each direction ends separately, as in TCP.
  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (isCut) return void near.destroy();
    const far = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    carry(near, far);
    carry(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, hostname, resolve));
  const address = server.address();

  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  const thaw = () => {
    frozen?.resolve();
    frozen = null;
  };
  return {
    url: `${protocol}//${hostname}:${typeof address === "object" && address ? address.port : 0}`,
    drop,
    cut() {
      isCut = true;
      drop();
    },
    freeze() {
      frozen ??= Promise.withResolvers();
    },
    delay(ms) {
      delayMs = ms;
    },
    mend() {
      isCut = false;
      delayMs = 0;
      thaw();
    },
    async stop() {
      isCut = true;
      thaw();
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
