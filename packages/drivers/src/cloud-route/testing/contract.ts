import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CloudRouteDriver, DesiredAddresses } from "../cloud-route.ts";

export type CloudRouteHarness = {
  driver: CloudRouteDriver;
  /** A second driver in the same cloud, like another controller's. */
  other: CloudRouteDriver;
  clusterId: string;
  /** Two unused service addresses. */
  addresses: readonly [string, string];
  /** The addresses that two replicas report, each on its own interface. */
  replicas: readonly [string, string];
  /** Routes an address to an interface that isn't ours, and returns its id. */
  take: (address: string) => Promise<string>;
  /** Removes the route of an address by hand. */
  damage: (address: string) => Promise<void>;
  /** Switches the source/destination check of the interface of a replica. */
  check: (replica: string, isOn: boolean) => Promise<void>;
  /** Terminates the machine of a replica, with its interface. */
  terminate: (replica: string) => Promise<void>;
  /** How many interfaces have our mark. */
  marks: () => Promise<number>;
  close: () => Promise<void>;
};

/** testCloudRouteContract tests what the reconciler relies on, for a driver or its fake. */
export function testCloudRouteContract(name: string, makeHarness: () => Promise<CloudRouteHarness>): void {
  describe(`the contract of cloud routes: ${name}`, () => {
    const never = new AbortController().signal;
    let harness: CloudRouteHarness;
    beforeEach(async () => {
      harness = await makeHarness();
    });
    afterEach(() => harness.close());

    const to = (first: string | null, second: string | null = first): DesiredAddresses => {
      const [one, two] = harness.addresses;
      const { clusterId } = harness;
      return {
        clusterId,
        addresses: [
          { address: one, to: first },
          { address: two, to: second },
        ],
      };
    };
    const set = (desired: DesiredAddresses) => harness.driver.set(desired, never);
    const seen = async () => {
      const { clusterId, addresses, replicas } = harness;
      const requested = addresses.map((address) => ({ address }));
      const found = await harness.driver.observe({ clusterId, addresses: requested }, never);
      return found.map(({ reaches }) => replicas.find((each) => reaches.includes(each)) ?? null);
    };
    const nothing = { changes: [], problems: [] };

    it("returns the addresses whose interface has the source/destination check, and changes nothing", async () => {
      const [a, b] = harness.replicas;
      await harness.check(a, true);
      await harness.check(b, false);
      const addresses = [a, b, "192.0.2.200"].map((address) => ({ address }));
      const checked = () => harness.driver.checked({ clusterId: harness.clusterId, addresses }, never);
      for (const _ of [1, 2])
        expect(await checked()).toEqual([{ address: a, interfaceId: expect.stringMatching(/^eni-/) }]);
      await harness.check(a, false);
      expect(await checked()).toEqual([]);
      expect(await harness.marks()).toBe(0);
    });

    it("observes nothing at first", async () => {
      expect(await seen()).toEqual([null, null]);
    });

    it("routes addresses to replicas, reports and observes it, and then changes nothing", async () => {
      const [a, b] = harness.replicas;
      const made = await set(to(a, b));
      expect(made.problems).toEqual([]);
      expect(made.changes.length).toBeGreaterThanOrEqual(2);
      expect(await seen()).toEqual([a, b]);
      expect(await set(to(a, b))).toEqual(nothing);
      expect(await harness.other.set(to(a, b), never)).toEqual(nothing);
    });

    it("moves one address without changing the other", async () => {
      const [a, b] = harness.replicas;
      await set(to(a));
      expect((await set(to(b, a))).problems).toEqual([]);
      expect(await seen()).toEqual([b, a]);
      expect(await set(to(b, a))).toEqual(nothing);
    });

    it("repairs manual changes, and reports the corrections", async () => {
      const [a] = harness.replicas;
      await set(to(a));
      await harness.damage(harness.addresses[0]);
      expect(await seen()).toEqual([null, a]);
      expect((await set(to(a))).changes).toHaveLength(1);
      expect(await seen()).toEqual([a, a]);
    });

    it("removes all that it created, including marks, and changes nothing the second time", async () => {
      const [a, b] = harness.replicas;
      await set(to(a, b));
      expect(await harness.marks()).toBe(2);
      expect((await set(to(null))).problems).toEqual([]);
      expect(await seen()).toEqual([null, null]);
      expect(await harness.marks()).toBe(0);
      expect(await set(to(null))).toEqual(nothing);
    });

    it("keeps its marks while other addresses of the cluster stay", async () => {
      const [a, b] = harness.replicas;
      await set(to(a, b));
      const { addresses } = to(null);
      const { clusterId } = harness;
      await harness.driver.set({ clusterId, addresses: addresses.slice(0, 1), isPart: true }, never);
      expect(await seen()).toEqual([null, b]);
      expect(await harness.marks()).toBe(2);
    });

    it("never changes an address that someone else uses, names its holder, and routes the other", async () => {
      const [a] = harness.replicas;
      const foreign = await harness.take(harness.addresses[0]);
      const { problems } = await set(to(a));
      expect(problems).toEqual([{ address: harness.addresses[0], message: expect.stringContaining(foreign) }]);
      expect(await seen()).toEqual([null, a]);
      const { clusterId } = harness;
      const [found] = await harness.driver.observe(
        { clusterId, addresses: [{ address: harness.addresses[0] }] },
        never,
      );
      expect(found).toMatchObject({ interfaceId: foreign, isOurs: false });
      await set(to(null));
      expect(
        await harness.driver.observe({ clusterId, addresses: [{ address: harness.addresses[0] }] }, never),
      ).toMatchObject([{ interfaceId: foreign }]);
    });

    it("reports a replica without an interface, and routes the other address", async () => {
      const [a] = harness.replicas;
      const { problems } = await set(to("10.99.99.99", a));
      expect(problems).toEqual([
        { address: harness.addresses[0], message: expect.stringContaining("no network interface has 10.99.99.99") },
      ]);
      expect(await seen()).toEqual([null, a]);
    });

    it("moves an address away from a terminated machine", async () => {
      const [a, b] = harness.replicas;
      await set(to(a));
      await harness.terminate(a);
      expect((await set(to(b))).problems).toEqual([]);
      expect(await seen()).toEqual([b, b]);
    });

    it("leaves nothing behind of a terminated machine", async () => {
      const [a] = harness.replicas;
      await set(to(a));
      await harness.terminate(a);
      expect((await set(to(null))).problems).toEqual([]);
      expect(await seen()).toEqual([null, null]);
      expect(await set(to(null))).toEqual(nothing);
    });

    it("does nothing if it is aborted before it starts", async () => {
      const [a] = harness.replicas;
      await expect(harness.driver.set(to(a), AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
      expect(await seen()).toEqual([null, null]);
    });

    it("converges when two controllers set the same state at once", async () => {
      const [a, b] = harness.replicas;
      await Promise.allSettled([set(to(a, b)), harness.other.set(to(a, b), never)]);
      await set(to(a, b));
      expect(await seen()).toEqual([a, b]);
      expect(await harness.other.set(to(a, b), never)).toEqual(nothing);
    });
  });
}
