import type { DesiredExposure } from "@fairlead/domain/exposure";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ExposureDriver } from "../exposure-driver.ts";

/** DriverHarness is one outside system, prepared for one test, with the hands that the contract needs. */
export type DriverHarness = {
  driver: ExposureDriver;
  /** A second driver on the same outside, as another controller would have. */
  other: ExposureDriver;
  /** An exposure with at least two load balancers, one of them with an address of ours where it can have one. */
  desired: DesiredExposure;
  /** The same exposure, with another spec. */
  changed: DesiredExposure;
  /** Breaks by hand what was made, in every way that the driver should notice. */
  damage: () => Promise<void>;
  /** Makes the outside so slow that only an abort ends the next operation, and says when that was reached. */
  stall: () => { reached: Promise<void> };
  close: () => Promise<void>;
};

/** testDriverContract holds a driver, or a fake of one, to what the reconciler relies on. */
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

    it("sees nothing before anything was made", async () => {
      expect(await seen(harness.desired)).toEqual([]);
    });

    it("makes what is desired, says so, and sees it", async () => {
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

    it("changes nothing when the same is set again", async () => {
      const { driver, desired } = harness;
      await driver.set(desired, never);
      expect(await changesOf(driver, desired)).toEqual([]);
    });

    it("follows a changed spec, and then rests", async () => {
      const { driver, desired, changed } = harness;
      await driver.set(desired, never);
      expect((await changesOf(driver, changed)).length).toBeGreaterThan(0);
      expect(await seen(changed)).toEqual(wanted(changed));
      expect(await changesOf(driver, changed)).toEqual([]);
    });

    if (givesOurAddresses)
      it("names the address of ours that it answers at, and no longer the one before", async () => {
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

    it("repairs damage done by hand, and says what it corrected", async () => {
      const { driver, desired } = harness;
      await driver.set(desired, never);
      const before = await driver.observe(desired, never);
      await harness.damage();
      expect(await driver.observe(desired, never)).not.toEqual(before);
      expect((await changesOf(driver, desired)).length).toBeGreaterThan(0);
      expect(await seen(desired)).toEqual(wanted(desired));
      expect(await changesOf(driver, desired)).toEqual([]);
    });

    it("removes one load balancer that is no longer wanted and leaves the others alone", async () => {
      const { driver, desired } = harness;
      await driver.set(desired, never);
      const [gone, ...rest] = desired.loadBalancers;
      if (!gone) throw new Error("the harness needs two load balancers");
      // Connections to it had their time.
      const fewer = { ...desired, loadBalancers: [{ ...gone, deletedAt: new Date(0) }, ...rest] };
      expect(await changesOf(driver, fewer)).toHaveLength(1);
      expect(await seen(fewer)).toEqual(wanted(fewer));
    });

    it("leaves nothing of a deleted exposure, and has nothing to do the second time", async () => {
      const { driver, desired } = harness;
      await driver.set(desired, never);
      const deleted = { ...desired, deletedAt: new Date() };
      expect((await changesOf(driver, deleted)).length).toBeGreaterThan(0);
      expect(await seen(deleted)).toEqual([]);
      expect(await changesOf(driver, deleted)).toEqual([]);
    });

    it("has nothing to do for a deleted exposure that was never made", async () => {
      expect(await changesOf(harness.driver, { ...harness.desired, deletedAt: new Date() })).toEqual([]);
    });

    it("stops when it is told to, and the next attempt completes the work", async () => {
      const { driver, desired } = harness;
      const abort = new AbortController();
      const { reached } = harness.stall();
      const stalled = expect(driver.set(desired, abort.signal)).rejects.toThrow();
      await reached;
      abort.abort(new Error("told to stop"));
      await stalled;
      await driver.set(desired, never);
      expect(await seen(desired)).toEqual(wanted(desired));
    });

    it("does nothing when it is told to stop before it began", async () => {
      const { driver, desired } = harness;
      await expect(driver.set(desired, AbortSignal.abort(new Error("told to stop")))).rejects.toThrow();
      expect(await seen(desired)).toEqual([]);
    });

    it("ends right when two controllers set the same at once", async () => {
      const { driver, other, desired } = harness;
      // One of them may lose a race and fail: it will be asked again.
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
