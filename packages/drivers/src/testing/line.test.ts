import { once } from "node:events";
import { createServer, connect as dial, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Line, openLine } from "./line.ts";

let server: Server;
let line: Line;
let served: Socket[];
beforeEach(async () => {
  served = [];
  server = createServer((socket) => {
    served.push(socket);
    socket.on("error", () => {});
    socket.pipe(socket); // echoes
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  line = await openLine(`https://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`);
});
afterEach(async () => {
  await line.stop();
  await new Promise((resolve) => server.close(resolve));
});

async function connect(): Promise<Socket> {
  const socket = dial(Number(new URL(line.url).port), "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

async function echo(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [chunk] = (await once(socket, "data")) as [Buffer];
  return chunk.toString();
}

/** stays reports whether a socket neither ended nor received anything for this long. */
function stays(socket: Socket, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(true), ms);
    for (const event of ["data", "close"]) socket.once(event, () => resolve(false));
  });
}

describe("a line", () => {
  it("forwards both ways, and keeps the scheme of its target", async () => {
    expect(line.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await echo(await connect(), "hello")).toBe("hello");
  });

  it("forwards all data before an end", async () => {
    const socket = await connect();
    line.delay(20);
    const whole = "x".repeat(300_000);
    socket.end(whole);
    let received = 0;
    for await (const chunk of socket) received += (chunk as Buffer).length;
    expect(received).toBe(whole.length);
  });

  it("closes open connections when it is dropped, and accepts new ones", async () => {
    const socket = await connect();
    await echo(socket, "hello");
    line.drop();
    await once(socket, "close");
    expect(await echo(await connect(), "again")).toBe("again");
  });

  it("rejects all connections while it is cut", async () => {
    const socket = await connect();
    await echo(socket, "hello");
    line.cut();
    await once(socket, "close");
    await once(await connect(), "close");
    line.mend();
    expect(await echo(await connect(), "again")).toBe("again");
  });

  it("keeps connections while it is frozen, and delivers everything afterwards", async () => {
    const socket = await connect();
    await echo(socket, "hello");
    line.freeze();
    socket.write("are you there?");
    served[0]?.destroy();
    expect(await stays(socket, 200)).toBe(true);
    line.mend();
    await once(socket, "close");
  });

  it("delays data, in order", async () => {
    const socket = await connect();
    line.delay(50);
    const began = performance.now();
    expect(await echo(socket, "hello")).toBe("hello");
    expect(performance.now() - began).toBeGreaterThanOrEqual(99);
  });
});
