import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { createCluster, deleteCluster, kubernetesBox } from "@fairlead/services";
import { createTestCertificate, createTestOrganization, writeTestKubeconfig } from "@fairlead/services/testing";
import { createMetrics, silentLog } from "@fairlead/telemetry";
import { afterAll, beforeAll, expect, it } from "vitest";
import { followClusters } from "./follow-clusters.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("ends the series of a cluster that was deleted, although it could never be reached", async () => {
  const ctx = await createTestOrganization(database.db);
  const { certificate } = await createTestCertificate("authority");
  const kubeconfig = writeTestKubeconfig(certificate, { token: "of-the-test" }, "https://127.0.0.1:1");
  const attached = { kind: "kubernetes" as const, region: "", labels: {}, kubernetes: { kubeconfig } };
  const { id } = await createCluster(ctx, { ...attached, name: "fra-01" });
  const kept = await createCluster(ctx, { ...attached, name: "fra-02" });
  const metrics = createMetrics();
  const box = kubernetesBox(ctx.settings.secret);
  const everyMs = 3_600_000;
  const clusters = await followClusters({ db: database.db, box, inCluster: null, log: silentLog, metrics, everyMs });
  try {
    for (const each of [id, kept.id]) await expect.poll(metrics.page, { timeout: 20_000 }).toContain(each);
    await deleteCluster(ctx, id);
    await clusters.look();
    const page = await metrics.page();
    expect(page).not.toContain(id);
    expect(page).toContain(kept.id);
  } finally {
    await clusters.stop();
  }
});
