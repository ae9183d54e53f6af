import { createTestVpc, testCredentials } from "@fairlead/drivers/aws-testing";
import { updateCluster } from "@fairlead/services";
import { describe, expect, it, vi } from "vitest";
import { type CloudFixture, onCloudStage, patience } from "../testing/cloud-stage.ts";
import { refusal } from "../testing/ec2-front.ts";
import { pod } from "../testing/test-balancer.ts";

let cloud: CloudFixture;
onCloudStage((entered) => {
  cloud = entered;
});

const other = { accessKeyId: "AKIAI44QH8DHBEXAMPLE", secretAccessKey: "only-for-tests-of-another-account" };
const accountOf = (key: string) => (key === other.accessKeyId ? "210987654321" : "123456789012");
const byRoute = (table: string, endpoint = cloud.front.url) => ({
  method: "route" as const,
  routeTables: [table],
  endpoint,
});

async function placed(): Promise<string> {
  await cloud.fixture.serve(1, [pod(1)]);
  cloud.keepReporting();
  await cloud.setUp();
  await cloud.comes({ state: "placed" });
  return cloud.address();
}

/** A VPC of the other account, with the replica's address. */
async function elsewhere(endpoint: string) {
  const vpc = await createTestVpc(endpoint, other);
  const id = await vpc.addInterface("10.9.0.1");
  return { vpc, id, table: await vpc.addRouteTable() };
}

describe("a cloud route that is changed", () => {
  it("removes routes from a table that was removed from the settings, and keeps marks that are still needed", async () => {
    const address = await placed();
    const id = await cloud.idOf(1);
    const added = await cloud.vpc.addRouteTable();
    await cloud.setUp({ method: "route", routeTables: [cloud.table, added] }, null);
    await vi.waitFor(async () => expect(await cloud.vpc.leadsTo(added, address)).toBe(id), patience);
    let unmarked = 0;
    cloud.front.answer = ({ action }) => {
      if (action === "DeleteTags") unmarked += 1;
      return null;
    };
    await cloud.setUp({ method: "route", routeTables: [added] }, null);
    await vi.waitFor(async () => expect(await cloud.vpc.leadsTo(cloud.table, address)).toBeNull(), patience);
    expect(await cloud.vpc.leadsTo(added, address)).toBe(id);
    expect(unmarked).toBe(0);
  });

  it("to another server removes addresses with the key that placed them, and sends no server the other's key", async () => {
    const address = await placed();
    const second = await cloud.addFront(accountOf);
    const { vpc, id, table } = await elsewhere(second.url);
    second.keys.clear();
    await cloud.setUp(byRoute(table, second.url), other);
    await vi.waitFor(async () => expect(await vpc.leadsTo(table, address)).toBe(id), patience);
    await vi.waitFor(async () => expect(await cloud.vpc.leadsTo(cloud.table, address)).toBeNull(), patience);
    expect([...cloud.front.keys]).toEqual([testCredentials.accessKeyId]);
    expect([...second.keys]).toEqual([other.accessKeyId]);
    expect((await cloud.vpc.interfaces()).flatMap((each) => each.tags)).toEqual([]);
    expect(await cloud.messagesOf("CloudLeftBehind")).toEqual([]);
    vpc.client.destroy();
  });

  it.each([
    ["rejects its key", () => refusal(401, "AuthFailure")()],
    ["does not answer", () => ({ status: 503, body: "" })],
  ])("from a server that %s is still placed at the new one, and the leftovers are reported", async (_, answer) => {
    const address = await placed();
    const second = await cloud.addFront(accountOf);
    const { vpc, id, table } = await elsewhere(second.url);
    cloud.front.answer = answer;
    await cloud.setUp(byRoute(table, second.url), other);
    await vi.waitFor(async () => expect(await vpc.leadsTo(table, address)).toBe(id), patience);
    await cloud.comes({ state: "placed", interfaceId: id });
    const [left = "", ...more] = await cloud.messagesOf("CloudLeftBehind");
    expect(more).toEqual([]);
    for (const part of [address, cloud.table, cloud.front.url, cloud.fixture.clusterId]) expect(left).toContain(part);
    expect(left).not.toContain(testCredentials.accessKeyId);
    expect([...cloud.front.keys]).toEqual([testCredentials.accessKeyId]);
    vpc.client.destroy();
  });

  it("to a key of another account removes addresses from the first account", async () => {
    const shared = await cloud.addFront(accountOf);
    await cloud.fixture.serve(1, [pod(1)]);
    cloud.keepReporting();
    const inVpc = { method: "secondary-address" as const, endpoint: shared.url };
    await cloud.setUp({ ...inVpc, vpcId: cloud.vpc.vpcId });
    await cloud.comes({ state: "placed" });
    const address = await cloud.address();
    expect(await cloud.vpc.holds(address)).toBe(await cloud.idOf(1));
    const { vpc, id } = await elsewhere(shared.url);
    await cloud.setUp({ ...inVpc, vpcId: vpc.vpcId }, other);
    await vi.waitFor(async () => expect(await vpc.holds(address)).toBe(id), patience);
    await vi.waitFor(async () => expect(await cloud.vpc.holds(address)).toBeNull(), patience);
    expect(await cloud.messagesOf("CloudLeftBehind")).toEqual([]);
    vpc.client.destroy();
  });

  it("from a revoked key to a new one is cleaned up with the new key", async () => {
    const address = await placed();
    const added = await cloud.vpc.addRouteTable();
    cloud.front.answer = ({ key }) => (key === testCredentials.accessKeyId ? refusal(401, "AuthFailure")() : null);
    await cloud.setUp({ method: "route", routeTables: [added] }, other);
    await vi.waitFor(async () => expect(await cloud.vpc.leadsTo(cloud.table, address)).toBeNull(), patience);
    const id = await cloud.idOf(1);
    await vi.waitFor(async () => expect(await cloud.vpc.leadsTo(added, address)).toBe(id), patience);
    expect(await cloud.messagesOf("CloudLeftBehind")).toEqual([]);
  });

  it("to none is retried until the cloud accepts it, with the reason shown at the address", async () => {
    const address = await placed();
    cloud.front.answer = ({ action }) => (action === "DeleteRoute" ? refusal(403, "UnauthorizedOperation")() : null);
    await updateCluster(cloud.fixture.now(), cloud.fixture.clusterId, { cloudRoute: null });
    await cloud.comes({ state: "leaving", address, reason: expect.stringContaining("permission ec2:DeleteRoute") });
    expect(await cloud.messagesOf("CloudRefused")).toHaveLength(1);
    cloud.front.answer = null;
    await vi.waitFor(async () => expect(await cloud.listed()).toEqual([]), patience);
    expect(await cloud.vpc.leadsTo(cloud.table, address)).toBeNull();
  });
});
