import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createTestCluster, createTestOrganization } from "../testing/index.ts";
import { cloudMetricsBox, deleteCluster, getCloudMetricsStatus, getCluster, updateCluster } from "./index.ts";

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
  monitoringEndpoint: null,
  balancingEndpoint: null,
};
const credentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};
const stored = () =>
  database.db.cloudMetrics.findUniqueOrThrow({ where: { clusterId: id }, omit: { credentials: false } });
const set = (cloudMetrics: Parameters<typeof updateCluster>[2]["cloudMetrics"]) =>
  updateCluster(ctx, id, { cloudMetrics });

describe("a cluster's cloud metrics settings", () => {
  it("are shown without the key, which only the box opens", async () => {
    expect((await set({ ...settings, credentials })).cloudMetrics).toEqual(settings);
    const row = await stored();
    expect(JSON.stringify(row)).not.toContain(credentials.secretAccessKey);
    expect(cloudMetricsBox(ctx.settings.secret).open(row.credentials)).toEqual(credentials);
    const audit = JSON.stringify(await database.db.auditEntry.findMany({ where: { subjectId: id } }));
    expect(audit).toContain('"cloudMetricsCredentials":"changed"');
    expect(audit).not.toContain(credentials.accessKeyId);
    expect(await database.db.reconcileTask.count({ where: { kind: "cloud-metrics", objectId: id } })).toBe(1);
  });

  it("require a key the first time, and keep it after that", async () => {
    await expect(set(settings)).rejects.toMatchObject({ fields: [{ path: ["cloudMetrics", "credentials"] }] });
    await set({ ...settings, credentials });
    const before = await stored();
    await set({ ...settings, region: "eu-west-1" });
    expect(await stored()).toMatchObject({
      credentials: before.credentials,
      settings: { region: "eu-west-1" },
      generation: before.generation + 1,
    });
  });

  it.each(["monitoringEndpoint", "balancingEndpoint"] as const)("never send the key to another %s", async (field) => {
    await set({ ...settings, credentials });
    await expect(set({ ...settings, [field]: "https://elsewhere.example" })).rejects.toMatchObject({
      fields: [{ path: ["cloudMetrics", "credentials"] }],
    });
  });

  it.each([
    ["monitoringEndpoint", "http://monitoring.example", "The endpoint must use https://"],
    ["balancingEndpoint", "https://169.254.169.254", "169.254.169.254 is not on the internet"],
    ["balancingEndpoint", "http://127.0.0.1:5001", "FAIRLEAD_CLOUD_ENDPOINTS"],
  ])("refuse for %s the internal address %s", async (field, endpoint, why) => {
    ctx.settings.cloudEndpoints = ["http://127.0.0.1:5000"];
    await expect(set({ ...settings, [field]: endpoint, credentials })).rejects.toMatchObject({
      fields: [{ path: ["cloudMetrics", field], message: expect.stringContaining(why) }],
    });
    await set({ ...settings, [field]: "http://127.0.0.1:5000", credentials });
  });

  it("are deleted with the key and the status when they are set to nothing", async () => {
    await set({ ...settings, credentials });
    const { generation } = await stored();
    const found = { generation, phase: "refused", message: "No.", observedAt: ctx.now, since: ctx.now };
    await database.db.cloudMetricsStatus.create({ data: { clusterId: id, ...found } });
    expect(await getCloudMetricsStatus(ctx, id)).toMatchObject({ phase: "refused", message: "No.", balancersTotal: 0 });
    // Not checked yet with the new key.
    await set({
      ...settings,
      credentials: { ...credentials, secretAccessKey: "another-secret-of-40-characters-or-more" },
    });
    expect(await getCloudMetricsStatus(ctx, id)).toMatchObject({ phase: "checking", message: "", observedAt: null });
    await set(null);
    expect((await getCluster(ctx, id)).cloudMetrics).toBeNull();
    expect(await database.db.cloudMetrics.count({ where: { clusterId: id } })).toBe(0);
    expect(await database.db.cloudMetricsStatus.count({ where: { clusterId: id } })).toBe(0);
    await expect(getCloudMetricsStatus(ctx, id)).rejects.toMatchObject({ code: "not-found" });
  });

  it("require permission to change the cluster, and are deleted with it", async () => {
    const viewer: ServiceContext = { ...ctx, actor: { kind: "user", id: "usr_1", name: "Eve", role: "viewer" } };
    await set({ ...settings, credentials });
    await expect(updateCluster(viewer, id, { cloudMetrics: null })).rejects.toMatchObject({ code: "forbidden" });
    await deleteCluster(ctx, id);
    expect(await database.db.cloudMetrics.count({ where: { clusterId: id } })).toBe(0);
  });
});
