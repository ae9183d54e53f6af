import { createServer } from "node:net";
import { freePort } from "@fairlead/db/free-port";
import { describe, expect, it } from "vitest";
import { portProblem, requireFree } from "./ports.ts";

describe("a port that can't be used", () => {
  it("is reported as taken by another program", async () => {
    const port = await freePort();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
    await expect(requireFree(port, "127.0.0.1", "PORT")).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken`);
    await new Promise((resolve) => other.close(resolve));
    await expect(requireFree(port, "127.0.0.1", "PORT")).resolves.toBeUndefined();
  });

  it.each([
    ["192.0.2.1", "HOST is 192.0.2.1, which is not an address of this machine"],
    ["no-such-machine.invalid", "HOST is no-such-machine.invalid, which can't be resolved"],
  ])("is reported as a problem of the host, not the port: %s", async (host, message) => {
    await expect(requireFree(await freePort(), host, "PORT")).rejects.toThrow(message);
  });

  it.each([
    ["EADDRINUSE", 65_535, "choose another port with PORT=65534 npm start"],
    [
      "EACCES",
      80,
      "This user may not listen on port 80. Choose one from 1024 on, for example with PORT=8080 npm start",
    ],
    ["EACCES", 443, "PORT=8443 npm start"],
    ["EAFNOSUPPORT", 3000, "can't be used (EAFNOSUPPORT)"],
  ])("is reported with a fix: %s at %i", (code, port, message) => {
    expect(portProblem(code, { port, host: "127.0.0.1", variable: "PORT" })).toContain(message);
  });
});
