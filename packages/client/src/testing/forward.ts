import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type Forwarder = { port: number; close: () => Promise<void> };

/** forward relays TCP from one address to another for admitted clients; others are cut off, as by a firewall. */
export async function forward(
  at: { host: string; port: number },
  to: { host: string; port: number },
  admits: (from: string) => boolean = () => true,
): Promise<Forwarder> {
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    socket.on("error", () => {});
  };
  const server = createServer((near) => {
    keep(near);
    if (!admits(near.remoteAddress ?? "")) {
      near.destroy();
      return;
    }
    const far = connect(to);
    keep(far);
    near.setNoDelay(true);
    far.setNoDelay(true);
    near.pipe(far).pipe(near);
    near.once("close", () => far.destroy());
    far.once("close", () => near.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(at.port, at.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
