import { connect, createServer, type Socket } from "node:net";

export type Cuttable = {
  url: string;
  /** Ends every connection and refuses new ones. */
  cut: () => void;
  mend: () => void;
  stop: () => Promise<void>;
};

/** openCuttable leads to the product over a line that can be cut. A browser's own "offline" leaves open streams alone. */
export async function openCuttable(target: string): Promise<Cuttable> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.once("error", () => to.destroy());
      from.once("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, hostname, resolve));
  const address = server.address();
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://${hostname}:${typeof address === "object" && address ? address.port : 0}`,
    cut() {
      isCut = true;
      end();
    },
    mend() {
      isCut = false;
    },
    async stop() {
      end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
