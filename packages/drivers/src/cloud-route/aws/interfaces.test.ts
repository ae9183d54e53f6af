import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Ec2 } from "./ec2.ts";
import { Interfaces } from "./interfaces.ts";

it("ends a list of network interfaces whose pages lead back", async () => {
  let pages = 0;
  const ec2 = {
    ask: async () => {
      // Without a limit the test fails, and doesn't hang.
      await nextTurn();
      pages += 1;
      return { NetworkInterfaces: [], NextToken: pages < 1_000 ? "again" : undefined };
    },
  } as unknown as Ec2;
  await expect(new Interfaces(ec2, "cluster_1", "vpc-1").marked()).rejects.toThrow(
    "the answer to DescribeNetworkInterfaces does not end: a page links back to an earlier one",
  );
  expect(pages).toBe(2);
});
