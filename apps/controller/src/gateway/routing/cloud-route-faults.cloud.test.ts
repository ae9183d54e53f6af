import { testCredentials } from "@fairlead/drivers/aws-testing";
import { getCluster, listAuditEntries, updateNode } from "@fairlead/services";
import { describe, expect, it } from "vitest";
import { type CloudFixture, onCloudStage } from "../testing/cloud-stage.ts";
import { refusal } from "../testing/ec2-front.ts";
import { pod } from "../testing/test-balancer.ts";

let cloud: CloudFixture;
onCloudStage((entered) => {
  cloud = entered;
});

describe("faults of the cloud", () => {
  it("throttling keeps an address where it is, creates one event, and keeps the reason of the move", async () => {
    await cloud.fixture.serve(2, [pod(1)]);
    await cloud.setUp();
    await cloud.comes({ state: "placed" });
    const [row] = await cloud.listed();
    const address = await cloud.address();
    const before = await cloud.vpc.leadsTo(cloud.table, address);
    let requests = 0;
    cloud.front.answer = () => {
      requests += 1;
      return requests <= 9 ? refusal(503, "RequestLimitExceeded")() : null;
    };
    await updateNode(cloud.fixture.now(), row?.nodeId ?? "", { draining: true });
    await expect.poll(() => cloud.messagesOf("CloudUnreachable"), { timeout: 60_000 }).toHaveLength(1);
    expect((await cloud.messagesOf("CloudUnreachable"))[0]).toContain("is throttling DescribeRouteTables");
    expect(requests > 9 || (await cloud.vpc.leadsTo(cloud.table, address)) === before).toBe(true);
    await cloud.comes({ state: "placed", reason: `${row?.nodeName} drains` });
    expect(await cloud.messagesOf("AddressMoved")).toEqual([
      expect.stringContaining(`because ${row?.nodeName} drains`),
    ]);
  });

  it.each([
    ["AuthFailure", 401, "rejected the access key; set a valid one"],
    ["SignatureDoesNotMatch", 403, "the secret doesn't match the access key"],
    ["IncompleteSignature", 400, "rejected the request signature; set access key and secret again"],
    ["ExpiredToken", 400, "reports that the access key expired; set a valid one"],
    ["RequestExpired", 400, "the clock of the controller's machine is wrong; correct it"],
    ["UnauthorizedOperation", 403, "denies the access key the permission ec2:DescribeRouteTables"],
    ["SomethingOfNextYear", 400, "with status 400"],
  ])("%s is reported with its fix and without the key, and recovers by itself", async (code, status, words) => {
    await cloud.fixture.serve(1, [pod(1)]);
    cloud.front.answer = refusal(status, code);
    await cloud.setUp();
    await cloud.comes({ state: "refused", reason: expect.stringContaining(words) });
    const { clusterId, now } = cloud.fixture;
    const { db } = cloud.stage.database;
    const all = JSON.stringify([
      await getCluster(now(), clusterId),
      await cloud.listed(),
      await cloud.messagesOf("CloudRefused"),
      await listAuditEntries(now(), { subjectId: clusterId, sort: "at", direction: "desc", limit: 50 }),
      await db.cloudRoute.findMany({ omit: { credentials: false, appliedCredentials: false } }),
      await db.reconcileTask.findMany({ where: { kind: "cloud-route" }, select: { lastError: true } }),
    ]);
    expect(await cloud.messagesOf("CloudRefused")).toHaveLength(1);
    expect(all).not.toContain(testCredentials.secretAccessKey);
    expect(all).not.toContain(testCredentials.accessKeyId);
    cloud.front.answer = null;
    await cloud.comes({ state: "placed", reason: "" });
  });

  it.each([
    ["CreateRoute", "RouteLimitExceeded", "raise its quota"],
    ["CreateRoute", "UnauthorizedOperation", "permission ec2:CreateRoute"],
    ["CreateTags", "UnauthorizedOperation", "permission ec2:CreateTags"],
    ["CreateTags", "InvalidNetworkInterfaceID.NotFound", "the replica's machine was removed"],
    ["ModifyNetworkInterfaceAttribute", "UnauthorizedOperation", "permission ec2:ModifyNetworkInterfaceAttribute"],
  ])("%s rejected with %s is reported at the address, and retried", async (action, code, words) => {
    await cloud.fixture.serve(1, [pod(1)]);
    cloud.front.answer = (request) => (request.action === action ? refusal(400, code)() : null);
    await cloud.setUp();
    await cloud.comes({ state: "refused", reason: expect.stringContaining(words) });
    expect(await cloud.messagesOf("AddressRefused")).toEqual([expect.stringContaining(words)]);
    cloud.front.answer = null;
    await cloud.look();
    await cloud.comes({ state: "placed", reason: "" });
  });

  it("a missing route table doesn't affect the other tables", async () => {
    await cloud.fixture.serve(1, [pod(1)]);
    const gone = "rtb-00000000000000000";
    await cloud.setUp({ method: "route", routeTables: [gone, cloud.table] });
    await cloud.comes({ state: "refused", reason: expect.stringContaining(`${gone} no longer exists`) });
    expect(await cloud.vpc.leadsTo(cloud.table, await cloud.address())).toBe(await cloud.idOf(1));
    await cloud.setUp({ method: "route", routeTables: [cloud.table] }, null);
    await cloud.comes({ state: "placed", reason: "" });
  });
});

it("requires the key again for another server: a key is never sent to a server that it was not set for", async () => {
  await cloud.setUp();
  const second = await cloud.addFront();
  const elsewhere = cloud.setUp({ method: "route", routeTables: [cloud.table], endpoint: second.url }, null);
  await expect(elsewhere).rejects.toMatchObject({ fields: [{ path: ["cloudRoute", "credentials"] }] });
});
