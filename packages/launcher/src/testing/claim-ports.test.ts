import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { claimPorts } from "./claim-ports.ts";

describe("claimPorts", () => {
  it("returns blocks that don't overlap, below the ephemeral ports", async () => {
    const claims = await Promise.all([claimPorts(), claimPorts(), claimPorts()]);
    const firsts = claims.map(({ first }) => first).sort((a, b) => a - b);
    expect(new Set(firsts).size).toBe(3);
    for (const first of firsts) {
      expect(first % 10).toBe(0);
      expect(first).toBeLessThan(32_000);
    }
    for (const { release } of claims) await release();
  });

  it("skips a block with a taken port", async () => {
    const before = await claimPorts();
    await before.release();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(before.first + 4, "127.0.0.1", resolve));
    const claim = await claimPorts();
    expect(claim.first).not.toBe(before.first);
    await claim.release();
    await new Promise((resolve) => other.close(resolve));
  });
});
