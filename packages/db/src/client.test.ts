import { createServer, type Server } from "node:net";
import { afterEach, expect, it } from "vitest";
import { openDb } from "./client.ts";

let server: Server | undefined;
afterEach(() => server?.close());

/** A server that reports ready and closes the connection at once, as one that shuts down sometimes does. */
async function startLeaving(): Promise<string> {
  const message = (type: string, ...parts: (string | Buffer)[]) => {
    const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const answer = Buffer.concat([
    message("R", Buffer.alloc(4)), // signed in
    message("Z", "I"), // ready
    message("E", "SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"),
  ]);
  const listening = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(answer));
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const address = listening.address();
  return `postgresql://nobody@127.0.0.1:${typeof address === "object" && address ? address.port : 0}/none`;
}

it("survives a connection that is lost at the moment it is established", async () => {
  const db = openDb(await startLeaving());
  for (let i = 0; i < 5; i++) {
    await expect(db.$transaction((tx) => tx.$queryRaw`SELECT 1`)).rejects.toThrow();
    await expect(db.$queryRaw`SELECT 1`).rejects.toThrow();
  }
  await db.$disconnect();
});
