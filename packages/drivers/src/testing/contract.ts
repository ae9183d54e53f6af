import type { DesiredExposure } from "@fairlead/domain/exposure";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ExposureDriver } from "../exposure-driver.ts";

/** DriverHarness is one outside system, prepared for one test, with the manual changes that the contract needs. */
export type DriverHarness = {
  driver: ExposureDriver;
  /** A second driver of the same system, like another controller's. */
  other: ExposureDriver;
  /** An exposure with at least two load balancers, one of them with an address of ours if possible. */
  desired: DesiredExposure;
  /** The same exposure, with another spec. */
  changed: DesiredExposure;
  /** Changes the created objects by hand, in every way that the driver must detect. */
  damage: () => Promise<void>;
  /** Makes the next operation hang until it is aborted, and returns a promise that resolves when it hangs. */
  stall: () => { reached: Promise<void> };
  close: () => Promise<void>;
};

/** testDriverContract tests what the reconciler relies on, for a driver or its fake. */
export function testDriverContract(
  name: string,
  makeHarness: () => Promise<DriverHarness>,
  { givesOurAddresses = true }: { givesOurAddresses?: boolean } = {},
): void {
  describe(`the contract of drivers: ${name}`, () => {
    const never = new AbortController().signal;
    let harness: DriverHarness;
    beforeEach(async () => {
      harness = await makeHarness();
    });
    afterEach(() => harness.close());

    const changesOf = async (by: ExposureDriver, desired: DesiredExposure) => (await by.set(desired, never)).changes;
    const seen = async (desired: DesiredExposure) =>
      (await harness.driver.observe(desired, never)).loadBalancers.map((each) => each.id).sort();

    it("observes nothing at first", async () => {
      expect(await seen(harness.desired)).toEqual([]);
    });

    it("creates the desired objects, reports and observes them", async () => {
      const { driver, desired } = harness;
      const changes = await changesOf(driver, desired);
      expect(changes.length).toBeGreaterThan(0);
      expect(await seen(desired)).toEqual(wanted(desired));
    });

    it("lists the instances that it observes", async () => {
      const { driver, desired } = harness;
      await driver.set(desired, never);
      expect(await driver.listInstances(desired, never)).toEqual((await driver.observe(desired, never)).instances);
    });

    it("changes nothing if the same state is set again", async () => {
      const { driver, desired } = harness;
      await driver.set(desired, never);
      expect(await changesOf(driver, desired)).toEqual([]);
    });

    it("follows a changed spec, and then changes nothing", async () => {
      const { driver, desired, changed } = harness;
      await driver.set(desired, never);
      expect((await changesOf(driver, changed)).length).toBeGreaterThan(0);
      expect(await seen(changed)).toEqual(wanted(changed));
      expect(await changesOf(driver, changed)).toEqual([]);
    });

    if (givesOurAddresses)
      it("observes a changed address of ours, and no longer the previous one", async () => {
        const { driver, desired } = harness;
        await driver.set(desired, never);
        const moved = {
          ...desired,
          loadBalancers: desired.loadBalancers.map((each) =>
            each.address === null ? each : { ...each, address: "192.0.2.99" },
          ),
        };
        await driver.set(moved, never);
        const { loadBalancers } = await driver.observe(moved, never);
        const named = loadBalancers.flatMap((each) => [
          each.address,
          ...each.mappings.map((one) => one.externalAddress),
        ]);
        for (const { address } of desired.loadBalancers) if (address !== null) expect(named).not.toContain(address);
        const ours = moved.loadBalancers.filter((each) => each.address !== null).map((each) => each.id);
        expect(ours.length).toBeGreaterThan(0);
        for (const each of loadBalancers) if (ours.includes(each.id)) expect(each.address).toBe("192.0.2.99");
      });

    it("repairs manual changes, and reports the corrections", async () => {
      const { driver, desired } = harness;
      await driver.set(desired, never);
      const before = await driver.observe(desired, never);
      await harness.damage();
      expect(await driver.observe(desired, never)).not.toEqual(before);
      expect((await changesOf(driver, desired)).length).toBeGreaterThan(0);
      expect(await seen(desired)).toEqual(wanted(desired));
      expect(await changesOf(driver, desired)).toEqual([]);
    });

    it("removes a deleted load balancer, and doesn't change the others", async () => {
      const { driver, desired } = harness;
      await driver.set(desired, never);
      const [gone, ...rest] = desired.loadBalancers;
      if (!gone) throw new Error("the harness needs two load balancers");
      // Its connections have drained.
      const fewer = { ...desired, loadBalancers: [{ ...gone, deletedAt: new Date(0) }, ...rest] };
      expect(await changesOf(driver, fewer)).toHaveLength(1);
      expect(await seen(fewer)).toEqual(wanted(fewer));
    });

    it("removes all objects of a deleted exposure, and changes nothing the second time", async () => {
      const { driver, desired } = harness;
      await driver.set(desired, never);
      const deleted = { ...desired, deletedAt: new Date() };
      expect((await changesOf(driver, deleted)).length).toBeGreaterThan(0);
      expect(await seen(deleted)).toEqual([]);
      expect(await changesOf(driver, deleted)).toEqual([]);
    });

    it("changes nothing for a deleted exposure that was never created", async () => {
      expect(await changesOf(harness.driver, { ...harness.desired, deletedAt: new Date() })).toEqual([]);
    });

    it("stops when it is aborted, and the next attempt completes the work", async () => {
      const { driver, desired } = harness;
      const abort = new AbortController();
      const { reached } = harness.stall();
      const stalled = expect(driver.set(desired, abort.signal)).rejects.toThrow();
      await reached;
      abort.abort(new Error("stopped"));
      await stalled;
      await driver.set(desired, never);
      expect(await seen(desired)).toEqual(wanted(desired));
    });

    it("does nothing if it is aborted before it starts", async () => {
      const { driver, desired } = harness;
      await expect(driver.set(desired, AbortSignal.abort(new Error("stopped")))).rejects.toThrow();
      expect(await seen(desired)).toEqual([]);
    });

    it("converges when two controllers set the same state at once", async () => {
      const { driver, other, desired } = harness;
      // One of them may lose a race and fail. It is retried.
      await Promise.allSettled([driver.set(desired, never), other.set(desired, never)]);
      await driver.set(desired, never);
      expect(await seen(desired)).toEqual(wanted(desired));
      expect(await changesOf(other, desired)).toEqual([]);
    });
  });
}

function wanted(desired: DesiredExposure): string[] {
  return desired.loadBalancers
    .filter((each) => !each.deletedAt)
    .map((each) => each.id)
    .sort();
}
