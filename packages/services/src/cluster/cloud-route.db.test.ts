import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createTestCluster, createTestOrganization } from "../testing/index.ts";
import { cloudRouteBox, deleteCluster, getCluster, updateCluster } from "./index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let id: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  id = (await createTestCluster(ctx)).cluster.id;
});

const settings = {
  provider: "aws" as const,
  region: "eu-central-1",
  endpoint: null,
  vpcId: null,
  method: "route" as const,
  routeTables: ["rtb-0a1b2c3d4e5f60718"],
};
const credentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};
const stored = () =>
  database.db.cloudRoute.findUniqueOrThrow({ where: { clusterId: id }, omit: { credentials: false } });
const set = (cloudRoute: Parameters<typeof updateCluster>[2]["cloudRoute"]) => updateCluster(ctx, id, { cloudRoute });

describe("the cloud route of a cluster", () => {
  it("is shown without its key, which only the box opens", async () => {
    expect((await set({ ...settings, credentials })).cloudRoute).toEqual(settings);
    const row = await stored();
    expect(JSON.stringify(row)).not.toContain(credentials.secretAccessKey);
    expect(cloudRouteBox(ctx.settings.secret).open(row.credentials)).toEqual(credentials);
    const audit = await database.db.auditEntry.findMany({ where: { subjectId: id } });
    expect(JSON.stringify(audit)).toContain('"cloudCredentials":"changed"');
    expect(JSON.stringify(audit)).not.toContain(credentials.accessKeyId);
  });

  it("requires a key the first time, and keeps it after that", async () => {
    await expect(set(settings)).rejects.toMatchObject({ fields: [{ path: ["cloudRoute", "credentials"] }] });
    await set({ ...settings, credentials });
    const before = (await stored()).credentials;
    await set({ ...settings, region: "eu-west-1" });
    expect(await stored()).toMatchObject({ credentials: before, settings: { region: "eu-west-1" } });
  });

  it("never sends its key to another server", async () => {
    await set({ ...settings, credentials });
    await expect(set({ ...settings, endpoint: "https://elsewhere.example" })).rejects.toMatchObject({
      code: "invalid",
    });
  });

  it.each([
    ["http://ec2.example", "The endpoint must use https://"],
    ["https://169.254.169.254", "169.254.169.254 is not on the internet"],
    ["http://127.0.0.1:5001", "FAIRLEAD_CLOUD_ENDPOINTS"],
    ["https://ec2.example/latest", "without user name or path"],
  ])("refuses the internal address %s", async (endpoint, why) => {
    ctx.settings.cloudEndpoints = ["http://127.0.0.1:5000"];
    await expect(set({ ...settings, endpoint, credentials })).rejects.toMatchObject({
      fields: [{ path: ["cloudRoute", "endpoint"], message: expect.stringContaining(why) }],
    });
    await set({ ...settings, endpoint: "http://127.0.0.1:5000", credentials });
    // An endpoint that was allowed when it was set does not block changes of other settings.
    ctx.settings.cloudEndpoints = [];
    await set({ ...settings, region: "eu-west-1", endpoint: "http://127.0.0.1:5000" });
  });

  it("keeps what is needed to remove addresses, though it is set to nothing", async () => {
    await set({ ...settings, credentials });
    await set(null);
    expect((await getCluster(ctx, id)).cloudRoute).toBeNull();
    expect((await stored()).deletedAt).toEqual(ctx.now);
    expect(await database.db.reconcileTask.count({ where: { kind: "cloud-route", objectId: id } })).toBe(1);
  });

  describe("blocks deletion of its cluster", () => {
    const place = (address: string) =>
      database.db.cloudAddress.create({
        data: {
          ...{ id: newId("cloudAddress"), organizationId: ctx.organizationId, clusterId: id, address },
          ...{ loadBalancerId: "lb_1", decidedAt: ctx.now, state: "placed", interfaceId: "eni-1" },
        },
      });
    const applied = () =>
      database.db.cloudRoute.update({ where: { clusterId: id }, data: { appliedSettings: settings } });
    const refusal = (message: string) => ({
      code: "conflict",
      message: expect.stringContaining(message),
      fields: [{ path: ["forgetCloudAddresses"] }],
    });

    it("while the cloud has its addresses, also while it is being removed", async () => {
      await set({ ...settings, credentials });
      for (const last of [1, 2, 3, 4, 5, 6, 7]) await place(`192.0.2.${last}`);
      await expect(deleteCluster(ctx, id)).rejects.toMatchObject(
        refusal("192.0.2.5 and 2 more. Remove its cloud route first"),
      );
      await set(null);
      await expect(deleteCluster(ctx, id)).rejects.toMatchObject(refusal("is being removed"));
      await database.db.cloudAddress.deleteMany({ where: { clusterId: id } });
      await deleteCluster(ctx, id);
    });

    it("while settings with which it placed something are not cleaned up", async () => {
      await set({ ...settings, credentials });
      await applied();
      await set(null);
      await expect(deleteCluster(ctx, id)).rejects.toMatchObject(refusal("is not removed from its cloud yet"));
      await database.db.cloudRoute.delete({ where: { clusterId: id } });
      await deleteCluster(ctx, id);
    });

    it("unless they are to be forgotten, which the audit log lists", async () => {
      await set({ ...settings, credentials });
      await applied();
      for (const address of ["192.0.2.1", "192.0.2.2"]) await place(address);
      await deleteCluster(ctx, id, undefined, { forgetCloudAddresses: true });
      expect(await database.db.cluster.count({ where: { id } })).toBe(0);
      const entry = await database.db.auditEntry.findFirstOrThrow({
        where: { subjectId: id, action: "cluster.delete" },
      });
      expect(entry).toMatchObject({
        before: {
          name: expect.any(String),
          forgottenInCloud: {
            count: 2,
            addresses: ["192.0.2.1", "192.0.2.2"].map((address) => ({ address, interfaceId: "eni-1" })),
            settings,
          },
        },
        after: null,
      });
      expect(JSON.stringify(entry)).not.toContain(credentials.accessKeyId);
    });

    it("not if it never placed anything", async () => {
      await set({ ...settings, credentials });
      await deleteCluster(ctx, id, undefined, { forgetCloudAddresses: true });
      const entry = await database.db.auditEntry.findFirstOrThrow({
        where: { subjectId: id, action: "cluster.delete" },
      });
      expect(JSON.stringify(entry)).not.toContain("forgotten");
    });
  });
});
