import { describe, expect, it } from "vitest";
import {
  describeBudget,
  describeOutdatedKeys,
  describePool,
  describePrices,
  describeStuckDeletion,
} from "./describe.ts";

const at = new Date("2026-11-01T00:00:00Z");

describe("numbers in sentences", () => {
  it("are grouped, and large pools are powers of two", () => {
    const pool = { ...{ id: "pool_1", name: "p", clusterId: "clu_1", clusterName: "c", since: at, total: 1 } };
    expect(describePool({ ...pool, prefix: "10.0.0.0/16", allocated: 60_000, capacity: 65_536 })).toBe(
      "60,000 of 65,536 addresses of 10.0.0.0/16 are taken; 5,536 are left.",
    );
    expect(describePool({ ...pool, prefix: "2001:db8::/64", allocated: 12, capacity: 2 ** 64 })).toBe(
      "12 of 2^64 addresses of 2001:db8::/64 are taken; 2^64 are left.",
    );
    const prices = { kind: "prices-held", id: "prf_1", feed: "aws", reason: "", waitingCount: 1_200 } as const;
    expect(describePrices(prices)).toBe("1,200 prices wait for review; until then the earlier ones apply.");
  });

  it("are sums as on the pages of costs", () => {
    const budget = {
      ...{ id: "bud_1", name: "b", clusterId: null, clusterName: null, currency: "USD", warnAtPercent: 80 },
      ...{ amountMicros: 1_500_000_000, spentMicros: 1_234_567_800, forecastMicros: 2_000_000_000, reason: "" },
    };
    expect(describeBudget({ ...budget, kind: "budget-over" })).toBe(
      "This month, $1,234.57 of $1,500.00 is spent: find what costs most, or raise the amount.",
    );
    expect(describeBudget({ ...budget, kind: "budget-forecast-over" })).toBe(
      "This month, $1,234.57 of $1,500.00 is spent, and the forecast is $2,000.00.",
    );
    expect(describeBudget({ ...budget, kind: "budget-warned" })).toBe(
      "This month, $1,234.57 of $1,500.00 is spent, and the budget warns at 80 %.",
    );
  });
});

it("a deletion that doesn't end has what prevents it, or what to check", () => {
  const row = { id: "exp_1", name: "web", clusterId: "clu_1", clusterName: "c", deletedAt: at };
  expect(describeStuckDeletion({ ...row, reason: "c could not be updated. It is retried." })).toMatch(
    /not everything of it is gone: c could not be updated\. It is retried\.$/,
  );
  expect(describeStuckDeletion({ ...row, reason: "" })).toMatch(
    /\. Check that its cluster and its agents are reachable\.$/,
  );
});

it("outdated ticket keys have what to check: the agents, the pods, or why their Secret wasn't written", () => {
  const row = { servers: ["shop/web-0"], serverCount: 1, replicaCount: 0, secret: "", secretProblem: "" };
  const are = "The ticket keys of shop/web-0 are outdated";
  expect(describeOutdatedKeys(row)).toMatch(`${are}: check the agents there.`);
  expect(describeOutdatedKeys({ ...row, secret: "tickets" })).toMatch(`${are}: check that these pods mount the Secret`);
  const secretProblem = "The cluster doesn't allow Fairlead to write the Secret shop/tickets.";
  expect(describeOutdatedKeys({ ...row, secret: "tickets", secretProblem })).toBe(`${are}. ${secretProblem}`);
});
