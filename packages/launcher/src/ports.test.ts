import { createServer } from "node:net";
import { freePort } from "@fairlead/db/free-port";
import { describe, expect, it } from "vitest";
import { portProblem, requireFree } from "./ports.ts";

describe("a port that we can't have", () => {
  it("is refused as taken when another program has it", async () => {
    const port = await freePort();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
    await expect(requireFree(port, "127.0.0.1", "PORT")).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken`);
    await new Promise((resolve) => other.close(resolve));
    await expect(requireFree(port, "127.0.0.1", "PORT")).resolves.toBeUndefined();
  });

  it.each([
    ["192.0.2.1", "HOST is 192.0.2.1, which is no address of this machine"],
    ["no-such-machine.invalid", "HOST is no-such-machine.invalid, a name that can't be looked up"],
  ])("is refused for the host, not the port: %s", async (host, sentence) => {
    await expect(requireFree(await freePort(), host, "PORT")).rejects.toThrow(sentence);
  });

  it.each([
    ["EADDRINUSE", 65_535, "choose another port with PORT=65534 npm start"],
    ["EACCES", 80, "This user may not listen at port 80: choose one from 1024 on, say with PORT=8080 npm start"],
    ["EACCES", 443, "PORT=8443 npm start"],
    ["EAFNOSUPPORT", 3000, "can't be listened at (EAFNOSUPPORT)"],
  ])("comes with its own cure: %s at %i", (code, port, sentence) => {
    expect(portProblem(code, { port, host: "127.0.0.1", variable: "PORT" })).toContain(sentence);
  });
});
