import { connect, createServer, type Socket } from "node:net";
import { Transform } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** Line leads to a server over TCP, as reliable as one says. */
export type Line = {
  url: string;
  /** Ends every connection; new ones go through. */
  drop: () => void;
  /** Ends every connection, and refuses new ones. */
  cut: () => void;
  /** Keeps every connection, and lets nothing through, not even an end: a cable that nobody noticed was pulled. */
  freeze: () => void;
  /** Lets everything arrive this much later, as a line does that carries no more than one piece at a time. */
  delay: (ms: number) => void;
  /** Undoes all of it. */
  mend: () => void;
  stop: () => Promise<void>;
};

/** openLine leads to a target at another port. A browser's own "offline", say, leaves open streams alone. */
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
    from.on("error", () => {}); // its close says the rest
    from.once("close", async () => {
      sockets.delete(from);
      // An end arrives after what was said before it; what broke off, at once.
      if (from.readableEnded && from.writableFinished) return;
      await passes();
      to.destroy();
    });
  };

  // Each way has an end of its own, as on any line.
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
