import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keepLease } from "./keep-lease.ts";
import { LeaseLost } from "./task.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a lease", () => {
  it("is kept as long as it can be renewed", async () => {
    const renew = vi.fn(async () => true);
    const lease = keepLease(renew, 3_000);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lease.signal.aborted).toBe(false);
    expect(renew.mock.calls.length).toBeGreaterThanOrEqual(19);
    lease.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends the work when another controller has it", async () => {
    const lease = keepLease(async () => false, 3_000);
    await vi.advanceTimersByTimeAsync(1_001);
    expect(lease.signal.reason).toBeInstanceOf(LeaseLost);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("survives a failed renewal when the next one succeeds", async () => {
    let renewals = 0;
    const lease = keepLease(async () => {
      if (++renewals === 1) throw new Error("the database is away");
      return true;
    }, 3_000);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lease.signal.aborted).toBe(false);
    lease.stop();
  });

  it.each([
    ["fails", () => Promise.reject(new Error("the database is away"))],
    ["never answers", () => new Promise<boolean>(() => {})],
  ])("ends the work in time when every renewal %s", async (_name, renew) => {
    const lease = keepLease(renew, 3_000);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(lease.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(lease.signal.reason).toBeInstanceOf(LeaseLost);
    expect(vi.getTimerCount()).toBe(0);
  });
});
