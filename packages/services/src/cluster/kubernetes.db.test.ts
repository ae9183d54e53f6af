import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { attachKubernetes } from "@fairlead/domain/kubernetes";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createExposure } from "../exposure/index.ts";
import { createTestCluster, createTestOrganization, testSpec } from "../testing/index.ts";
import { createTestCertificate, type TestPem, writeTestKubeconfig } from "../testing/kubeconfig.ts";
import {
  createCluster,
  deleteCluster,
  getCluster,
  getKubernetesStatus,
  kubernetesBox,
  previewKubeconfig,
  updateCluster,
} from "./index.ts";

const token = "eyJhbGciOiJSUzI1NiJ9.of-the-test.never-to-be-seen";
let database: TestDatabase;
let authority: TestPem;
let ctx: ServiceContext;
let id: string;
beforeAll(async () => {
  database = await createTestDatabase();
  authority = await createTestCertificate("authority");
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  id = (await createTestCluster(ctx, "192.0.2.0/24", "kubernetes")).cluster.id;
});

const kubeconfig = (auth: Parameters<typeof writeTestKubeconfig>[1] = { token }) =>
  writeTestKubeconfig(authority.certificate, auth);
const set = (kubernetes: Parameters<typeof updateCluster>[2]["kubernetes"]) => updateCluster(ctx, id, { kubernetes });
const stored = () => database.db.kubernetesAccess.findUnique({ where: { clusterId: id }, omit: { sealed: false } });
const task = () =>
  database.db.reconcileTask.findUnique({ where: { kind_objectId: { kind: "kubernetes", objectId: id } } });

/** Every row of every table, as text. */
async function everything(): Promise<string> {
  const tables = await database.db.$queryRaw<{ name: string }[]>`
    SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`;
  let text = "";
  for (const { name } of tables)
    text += JSON.stringify(await database.db.$queryRawUnsafe(`SELECT t::text FROM ${name} t`));
  return text;
}

describe("the kubeconfig of a cluster", () => {
  it("is shown without its secrets, which only the box opens", async () => {
    const { kubernetes } = await set({ kubeconfig: kubeconfig() });
    expect(kubernetes).toEqual({
      type: "kubeconfig",
      server: "https://203.0.113.7:6443",
      contextName: "test",
      userType: "token",
      certificateExpiresAt: null,
    });
    const { sealed = "", generation } = (await stored()) ?? {};
    expect(generation).toBe(1);
    expect(kubernetesBox(ctx.settings.secret).open(sealed)).toEqual({
      type: "kubeconfig",
      server: "https://203.0.113.7:6443",
      certificateAuthority: authority.certificate,
      tlsServerName: null,
      auth: { type: "token", token },
    });
    expect(await task()).toMatchObject({ urgent: true });
  });

  it("is stored nowhere in clear text, and is in no answer and no audit entry", async () => {
    const user = await createTestCertificate("user");
    const answers = [
      await set({ kubeconfig: kubeconfig() }),
      await set({ kubeconfig: kubeconfig(user) }),
      await set({ kubeconfig: kubeconfig() }),
      await getCluster(ctx, id),
      await getKubernetesStatus(ctx, id),
      await createCluster(ctx, {
        name: "another",
        kind: "kubernetes",
        region: "",
        labels: {},
        kubernetes: { kubeconfig: kubeconfig(user) },
      }),
      await previewKubeconfig(ctx, { kubeconfig: kubeconfig(user) }),
      await previewKubeconfig(ctx, { kubeconfig: `${kubeconfig()} [` }),
    ];
    const all = `${JSON.stringify(answers)}${await everything()}`;
    const keyLine = user.key.split("\n")[1] ?? "missing";
    for (const secret of [token, btoa(token), keyLine, btoa(user.key), btoa(user.certificate)])
      expect(all.includes(secret)).toBe(false);
    const audit = await database.db.auditEntry.findMany({ where: { subjectId: id, action: "cluster.update" } });
    expect(audit).toHaveLength(3);
    for (const { after } of audit) expect(after).toMatchObject({ kubernetesCredentials: "changed" });
  });

  it("is unchanged when it is given again, and a change of its secrets alone counts", async () => {
    await set({ kubeconfig: kubeconfig() });
    const before = await getCluster(ctx, id);
    await set({ kubeconfig: kubeconfig() });
    expect(await getCluster(ctx, id)).toEqual(before);
    await set({ kubeconfig: kubeconfig({ token: "another" }) });
    expect((await getCluster(ctx, id)).generation).toBe(before.generation + 1);
    expect((await stored())?.generation).toBe(2);
  });

  it("shows when its certificate expires", async () => {
    const user = await createTestCertificate("user");
    const { kubernetes } = await set({ kubeconfig: kubeconfig(user) });
    expect(kubernetes?.userType).toBe("certificate");
    expect(kubernetes?.certificateExpiresAt).toBeInstanceOf(Date);
  });

  it("is refused at its field, with what to do, and nothing is stored", async () => {
    const exec = kubeconfig().replace(`"token":"${token}"`, '"exec":{"command":"aws"}');
    await expect(set({ kubeconfig: exec })).rejects.toMatchObject({
      code: "invalid",
      fields: [{ path: ["kubernetes", "kubeconfig"], message: expect.stringContaining("running a program (aws)") }],
    });
    await expect(set({ kubeconfig: kubeconfig(), context: "b" })).rejects.toMatchObject({
      fields: [{ path: ["kubernetes", "context"], message: "It has no context named b. Choose one of test." }],
    });
    const spec = {
      name: "other",
      kind: "kubernetes" as const,
      region: "",
      labels: {},
      kubernetes: { kubeconfig: exec },
    };
    await expect(createCluster(ctx, spec)).rejects.toMatchObject({ code: "invalid" });
    expect(await stored()).toBeNull();
    expect(await database.db.cluster.count({ where: { name: "other", organizationId: ctx.organizationId } })).toBe(0);
  });

  it.each(["lab", "machines"] as const)("is refused for a cluster of the kind %s", async (kind) => {
    const { cluster } = await createTestCluster(ctx, "198.51.100.0/24", kind);
    await expect(updateCluster(ctx, cluster.id, { kubernetes: { kubeconfig: kubeconfig() } })).rejects.toMatchObject({
      fields: [{ path: ["kubernetes"], message: expect.stringContaining("Only a cluster of the kind kubernetes") }],
    });
    await updateCluster(ctx, cluster.id, { kubernetes: null });
  });

  it("may be the controller's own pod only where the installation allows it", async () => {
    await expect(set({ inCluster: true })).rejects.toMatchObject({
      fields: [{ path: ["kubernetes", "inCluster"], message: expect.stringContaining("FAIRLEAD_IN_CLUSTER") }],
    });
    ctx.settings.mayAttachOwn = true;
    expect((await set({ inCluster: true })).kubernetes).toEqual({
      type: "in-cluster",
      server: null,
      contextName: null,
      userType: "in-cluster",
      certificateExpiresAt: null,
    });
  });

  it("is deleted at once when it is set to nothing, with its status", async () => {
    await set({ kubeconfig: kubeconfig() });
    const at = ctx.now;
    const found = { clusterId: id, generation: 1, phase: "connected", version: "v1.36.3", observedAt: at, since: at };
    await database.db.kubernetesStatus.create({ data: found });
    expect((await set(null)).kubernetes).toBeNull();
    expect(await stored()).toBeNull();
    expect(await database.db.kubernetesStatus.count({ where: { clusterId: id } })).toBe(0);
    await expect(getKubernetesStatus(ctx, id)).rejects.toMatchObject({ code: "not-found" });
    // All of it happened at one moment, so the ids don't give the order.
    const audit = await database.db.auditEntry.findMany({ where: { subjectId: id, action: "cluster.update" } });
    expect(audit).toContainEqual(
      expect.objectContaining({
        before: expect.objectContaining({ kubernetes: expect.objectContaining({ userType: "token" }) }),
        after: expect.objectContaining({ kubernetes: null }),
      }),
    );
  });

  it("can't be removed while an exposure needs it", async () => {
    const { cluster, pool } = await createTestCluster(ctx, "203.0.113.0/24", "kubernetes");
    await updateCluster(ctx, cluster.id, { kubernetes: { kubeconfig: kubeconfig() } });
    await createExposure(ctx, testSpec(pool));
    await expect(updateCluster(ctx, cluster.id, { kubernetes: null })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("Delete what it exposes first"),
    });
    await updateCluster(ctx, cluster.id, { kubernetes: { kubeconfig: kubeconfig({ token: "new" }) } });
  });

  it("is deleted with its cluster", async () => {
    await set({ kubeconfig: kubeconfig() });
    await deleteCluster(ctx, id);
    expect(await stored()).toBeNull();
  });
});

describe("the status of a cluster's API", () => {
  it("is checking until the first check, and again once the access changed", async () => {
    await set({ kubeconfig: kubeconfig() });
    const checking = {
      clusterId: id,
      phase: "checking",
      message: "",
      version: "",
      permissions: [],
      observedAt: null,
      since: null,
    };
    expect(await getKubernetesStatus(ctx, id)).toEqual(checking);
    const permissions = [{ verb: "get", resource: "pods", namespace: null, why: "w", required: true, granted: false }];
    const found = {
      phase: "degraded",
      message: "m",
      version: "v1.36.3",
      permissions,
      observedAt: ctx.now,
      since: ctx.now,
    };
    await database.db.kubernetesStatus.create({ data: { clusterId: id, generation: 1, ...found } });
    expect(await getKubernetesStatus(ctx, id)).toEqual({ clusterId: id, ...found });
    await set({ kubeconfig: kubeconfig({ token: "new" }) });
    expect(await getKubernetesStatus(ctx, id)).toEqual(checking);
  });
});

describe("a preview", () => {
  it("shows the content, the required permissions, and the manifest that grants them", async () => {
    const preview = await previewKubeconfig(ctx, { kubeconfig: kubeconfig() });
    expect(preview).toMatchObject({ contexts: ["test"], contextName: "test", userType: "token", problems: [] });
    expect(preview.permissions).toContainEqual({
      resource: "endpointslices.discovery.k8s.io",
      verbs: ["get", "list", "watch"],
      why: expect.any(String),
    });
    expect(preview.manifest).toContain("kind: ClusterRoleBinding");
    expect(preview.commands[0]).toBe("SERVER='https://203.0.113.7:6443'");
  });

  it("stores nothing", async () => {
    const before = await everything();
    await previewKubeconfig(ctx, { kubeconfig: kubeconfig() });
    expect(await everything()).toBe(before);
  });
});

it.each([
  [{}, ["kubeconfig"]],
  [{ kubeconfig: "a", inCluster: true }, ["inCluster"]],
  [{ context: "a", inCluster: true }, ["context"]],
  [{ kubeconfig: "x".repeat(400_001) }, ["kubeconfig"]],
  [{ inCluster: false }, ["inCluster"]],
])("takes either a kubeconfig or the pod, not %#", (spec, path) => {
  expect(attachKubernetes.safeParse(spec).error?.issues[0]?.path).toEqual(path);
});
