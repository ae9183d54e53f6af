import {
  AssociateAddressCommand,
  DeleteNetworkInterfaceCommand,
  DeleteRouteCommand,
  DescribeAddressesCommand,
  DisassociateAddressCommand,
  UnassignPrivateIpAddressesCommand,
} from "@aws-sdk/client-ec2";
import { type CloudRoute, cloudRoute } from "@fairlead/domain/cloud";
import { describe, expect, it } from "vitest";
import { type CloudRouteHarness, testCloudRouteContract } from "../testing/contract.ts";
import { createTestVpc, emulatorUrl, type TestVpc, testCredentials } from "../testing/test-vpc.ts";
import { awsCloudRoute } from "./aws-cloud-route.ts";

const atEmulator = awsCloudRoute({ allowedEndpoints: [emulatorUrl()] });

const never = new AbortController().signal;
const clusterId = "clu_1";
const replicas = ["10.9.0.11", "10.9.0.12"] as const;

type Hands = Pick<CloudRouteHarness, "take" | "damage"> & { settings: object; addresses: readonly [string, string] };

const byHand: Record<CloudRoute["method"], (vpc: TestVpc) => Promise<Hands>> = {
  async route(vpc) {
    const tables = [await vpc.addRouteTable(), await vpc.addRouteTable()];
    const [first = ""] = tables;
    return {
      settings: { routeTables: tables },
      addresses: ["203.0.113.10", "203.0.113.11"],
      async take(address) {
        const id = await vpc.addInterface("10.9.0.99");
        for (const table of tables) await vpc.route(table, address, id);
        return id;
      },
      async damage(address) {
        const entry = { RouteTableId: first, DestinationCidrBlock: `${address}/32` };
        await vpc.client.send(new DeleteRouteCommand(entry));
      },
    };
  },
  async "secondary-address"(vpc) {
    return {
      settings: {},
      addresses: ["10.9.0.100", "10.9.0.101"],
      take: (address) => vpc.addInterface(address),
      async damage(address) {
        for (const { id } of await vpc.interfaces()) {
          const leave = { NetworkInterfaceId: id, PrivateIpAddresses: [address] };
          await vpc.client.send(new UnassignPrivateIpAddressesCommand(leave));
        }
      },
    };
  },
  async "elastic-address"(vpc) {
    const addresses = ["10.9.0.100", "10.9.0.101"] as const;
    const elasticAddresses: { address: string; allocationId: string }[] = [];
    for (const address of addresses) elasticAddresses.push({ address, allocationId: await vpc.addElasticAddress() });
    const [first] = elasticAddresses;
    return {
      settings: { elasticAddresses },
      addresses,
      async take(address) {
        const NetworkInterfaceId = await vpc.addInterface(address);
        const AllocationId = elasticAddresses.find((each) => each.address === address)?.allocationId;
        await vpc.client.send(new AssociateAddressCommand({ AllocationId, NetworkInterfaceId }));
        return NetworkInterfaceId;
      },
      async damage() {
        const found = await vpc.client.send(
          new DescribeAddressesCommand({ AllocationIds: [first?.allocationId ?? ""] }),
        );
        const AssociationId = found.Addresses?.[0]?.AssociationId ?? "";
        await vpc.client.send(new DisassociateAddressCommand({ AssociationId }));
      },
    };
  },
};

for (const [method, hands] of Object.entries(byHand))
  testCloudRouteContract(`AWS, by ${method}`, async () => {
    const vpc = await createTestVpc();
    for (const each of replicas) await vpc.addInterface(each);
    const { settings, ...rest } = await hands(vpc);
    const open = () => atEmulator(cloudRoute.parse({ ...vpc.place, method, ...settings }), testCredentials);
    return {
      ...rest,
      driver: open(),
      other: open(),
      clusterId,
      replicas,
      async check(replica, isOn) {
        const own = (await vpc.interfaces()).find((each) => each.address === replica);
        await vpc.check(own?.id ?? "", isOn);
      },
      async terminate(replica) {
        const own = (await vpc.interfaces()).find((each) => each.address === replica);
        await vpc.client.send(new DeleteNetworkInterfaceCommand({ NetworkInterfaceId: own?.id }));
      },
      marks: async () => (await vpc.interfaces()).filter((each) => each.tags.includes(`fairlead:${clusterId}`)).length,
      async close() {
        vpc.client.destroy();
      },
    };
  });

describe("a cloud route of AWS", () => {
  async function stage() {
    const vpc = await createTestVpc();
    const ids = [await vpc.addInterface(replicas[0]), await vpc.addInterface(replicas[1])];
    const table = await vpc.addRouteTable();
    const settings = cloudRoute.parse({ ...vpc.place, vpcId: null, method: "route", routeTables: [table] });
    return { vpc, ids, table, settings, driver: atEmulator(settings, testCredentials) };
  }
  const to = (address: string, replica: string | null) => ({ clusterId, addresses: [{ address, to: replica }] });

  it("turns the source/destination check of an interface off, and on again at the end", async () => {
    const { vpc, ids, driver } = await stage();
    const checks = async () =>
      new Map((await vpc.interfaces()).map((each) => [each.id, each.isChecked])).get(ids[0] ?? "");
    expect(await checks()).toBe(true);
    await driver.set(to("203.0.113.10", replicas[0]), never);
    expect(await checks()).toBe(false);
    await driver.set(to("203.0.113.10", null), never);
    expect(await checks()).toBe(true);
  });

  it("routes IPv6 addresses with entries too", async () => {
    const { driver } = await stage();
    await driver.set(to("2001:db8::10", replicas[0]), never);
    const six = { clusterId, addresses: [{ address: "2001:db8::10" }] };
    expect(await driver.observe(six, never)).toMatchObject([{ reaches: [replicas[0]], isOurs: true }]);
  });

  it("finds a replica with an IPv6 address", async () => {
    const { vpc, table, driver } = await stage();
    const id = await vpc.addInterface("10.9.0.66", "2001:db8:9::66");
    for (const address of ["203.0.113.10", "2001:db8::10"]) {
      expect((await driver.set(to(address, "2001:db8:9::66"), never)).problems).toEqual([]);
      const [seen] = await driver.observe({ clusterId, addresses: [{ address }] }, never);
      expect(seen).toMatchObject({ interfaceId: id, reaches: ["10.9.0.66", "2001:db8:9::66"], isOurs: true });
    }
    expect(await vpc.leadsTo(table, "203.0.113.10")).toBe(id);
  });

  it.each(["secondary-address", "elastic-address"] as const)(
    "names the method that an IPv6 address needs, and routes the others by %s",
    async (method) => {
      const { vpc, ids } = await stage();
      const elasticAddresses = [{ address: "10.9.0.100", allocationId: await vpc.addElasticAddress() }];
      const own = method === "elastic-address" ? { elasticAddresses } : {};
      const driver = atEmulator(cloudRoute.parse({ ...vpc.place, method, ...own }), testCredentials);
      const six = { address: "2001:db8::10", to: replicas[0] };
      const { problems } = await driver.set(
        { clusterId, addresses: [six, { address: "10.9.0.100", to: replicas[0] }] },
        never,
      );
      expect(problems).toEqual([
        { address: "2001:db8::10", message: expect.stringContaining("need the method route") },
      ]);
      expect(await vpc.holds("10.9.0.100")).toBe(ids[0]);
      expect(await vpc.holds("2001:db8::10")).toBeNull();
    },
  );

  it("routes in the tables that exist, reports a missing one, and removes nothing from that", async () => {
    const { vpc, ids, table } = await stage();
    const gone = "rtb-00000000000000000";
    const driver = atEmulator(
      cloudRoute.parse({ ...vpc.place, method: "route", routeTables: [gone, table] }),
      testCredentials,
    );
    const { problems } = await driver.set(to("203.0.113.10", replicas[0]), never);
    expect(problems).toEqual([
      { address: "203.0.113.10", message: expect.stringContaining(`${gone} no longer exists`) },
    ]);
    expect(await vpc.leadsTo(table, "203.0.113.10")).toBe(ids[0]);
    expect((await driver.set(to("203.0.113.10", null), never)).problems).toEqual([]);
    expect(await vpc.leadsTo(table, "203.0.113.10")).toBeNull();
    expect((await vpc.interfaces()).flatMap((each) => each.tags)).toEqual([]);
  });

  it("routes an address whose Elastic IP is missing, reports that, and routes the others with theirs", async () => {
    const { vpc, ids } = await stage();
    const gone = "eipalloc-00000000000000000";
    const allocationId = await vpc.addElasticAddress();
    const elasticAddresses = [
      { address: "10.9.0.100", allocationId: gone },
      { address: "10.9.0.101", allocationId },
    ];
    const driver = atEmulator(
      cloudRoute.parse({ ...vpc.place, method: "elastic-address", elasticAddresses }),
      testCredentials,
    );
    const both = (replica: string | null) => ({
      clusterId,
      addresses: elasticAddresses.map(({ address }) => ({ address, to: replica })),
    });
    const { problems } = await driver.set(both(replicas[0]), never);
    expect(problems).toEqual([{ address: "10.9.0.100", message: expect.stringContaining(`${gone} no longer exists`) }]);
    expect(await vpc.elastic(allocationId)).toEqual({ interfaceId: ids[0], at: "10.9.0.101" });
    expect((await driver.set(both(null), never)).problems).toEqual([]);
    expect(await vpc.elastic(allocationId)).toEqual({ interfaceId: null, at: null });
  });

  it("suggests to set the VPC if two networks have the replica's address", async () => {
    const { vpc, settings } = await stage();
    const twin = await createTestVpc();
    await twin.addInterface("10.9.0.77");
    await vpc.addInterface("10.9.0.77");
    const { routeTables: _, ...place } = { routeTables: [], ...settings };
    const driver = atEmulator(cloudRoute.parse({ ...place, method: "secondary-address" }), testCredentials);
    const { problems } = await driver.set(to("10.9.0.100", "10.9.0.77"), never);
    expect(problems).toMatchObject([{ message: expect.stringContaining("both have 10.9.0.77; set the VPC") }]);
  });

  it("never changes an entry to another interface, and names both", async () => {
    const { vpc, table, driver } = await stage();
    const foreign = await vpc.addInterface("10.9.0.99");
    await vpc.route(table, "203.0.113.10", foreign);
    const { problems, changes } = await driver.set(to("203.0.113.10", replicas[0]), never);
    expect(problems).toEqual([
      {
        address: "203.0.113.10",
        message: `in ${table}, 203.0.113.10 already leads to ${foreign}, which is not a replica of this cluster; remove that, or use other addresses in the pool`,
      },
    ]);
    expect(changes.some((each) => each.message.includes("leads"))).toBe(false);
    expect(await vpc.leadsTo(table, "203.0.113.10")).toBe(foreign);
  });
});
