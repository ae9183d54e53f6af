import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { Cluster } from "@fairlead/domain/cluster";
import type { ServiceContext } from "@fairlead/services";
import { createTestCluster, createTestOrganization } from "@fairlead/services/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestApi, type TestApi } from "../testing/index.ts";

let database: TestDatabase;
let api: TestApi;
let owner: ServiceContext;
let cluster: Cluster;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  owner = await createTestOrganization(database.db);
  ({ cluster } = await createTestCluster(owner));
  api = createTestApi(owner);
});
afterAll(async () => {
  api.close();
  await database.drop();
});

const spec = { name: "frankfurt", kind: "lab" };

describe("Idempotency-Key", () => {
  const post = (key: string, json: unknown, as = owner) =>
    api.fetch(as, "/clusters", { method: "POST", json, headers: { "idempotency-key": key } });

  it("returns the first answer to a repeat and creates nothing", async () => {
    const first = await post("k1", spec);
    const again = await post("k1", spec);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect([first.headers.get("idempotency-replayed"), again.headers.get("idempotency-replayed")]).toEqual([
      null,
      "true",
    ]);
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(await again.text()).toBe(await first.text());
    expect(await owner.db.cluster.count({ where: { organizationId: owner.organizationId } })).toBe(2);
  });

  it("creates one of many concurrent requests, and asks the others to retry", async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => post("k2", spec)));
    const statuses = responses.map((each) => each.status);
    expect(statuses.filter((status) => status !== 409)).toEqual(expect.arrayContaining([201]));
    expect(statuses.filter((status) => status !== 409 && status !== 201)).toEqual([]);
    for (const each of responses) if (each.status === 409) expect(each.headers.get("retry-after")).toBe("1");
    expect((await post("k2", spec)).headers.get("idempotency-replayed")).toBe("true");
    expect(await owner.db.cluster.count({ where: { organizationId: owner.organizationId } })).toBe(2);
  });

  it("refuses a key that was used for something else", async () => {
    await post("k3", spec);
    const response = await post("k3", { ...spec, name: "other" });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ errors: [{ in: "header", name: "Idempotency-Key" }] });
  });

  it("stores nothing of a create that failed", async () => {
    expect((await post("k4", { ...spec, name: cluster.name })).status).toBe(409);
    await owner.db.cluster.update({ where: { id: cluster.id }, data: { name: "renamed" } });
    expect((await post("k4", { ...spec, name: cluster.name })).status).toBe(201);
  });

  it("is not wedged by a crash between the change and the answer", async () => {
    const crashing = createTestApi({
      ...owner,
      db: new Proxy(owner.db, {
        get: (target, name) =>
          name === "$transaction"
            ? (work: (tx: object) => Promise<unknown>, options: object) =>
                owner.db.$transaction(async (tx) => {
                  await work(tx);
                  throw new Error("crash");
                }, options)
            : Reflect.get(target, name),
      }),
    });
    const init = { method: "POST", json: spec, headers: { "idempotency-key": "k5" } };
    expect((await crashing.fetch(owner, "/clusters", init)).status).toBe(500);
    crashing.close();
    expect((await post("k5", spec)).status).toBe(201);
    expect(await owner.db.cluster.count({ where: { organizationId: owner.organizationId } })).toBe(2);
  });

  it("belongs to the actor that chose it, and expires after a day", async () => {
    const other = { ...owner, actor: { kind: "user", id: "other", name: "Other", role: "owner" } as const };
    await post("k6", spec);
    expect((await post("k6", { ...spec, name: "of-other" }, other)).status).toBe(201);
    await owner.db.idempotencyKey.updateMany({ data: { createdAt: new Date(Date.now() - 25 * 3_600_000) } });
    expect((await post("k6", { ...spec, name: "of-next-day" })).status).toBe(201);
  });

  it("stores no secret that was shown once", async () => {
    const response = await api.fetch(owner, "/api-keys", {
      method: "POST",
      json: { name: "ci", role: "viewer", scopes: ["cluster:read"] },
      headers: { "idempotency-key": "k7" },
    });
    const { key } = (await response.json()) as { key: string };
    expect(response.headers.get("cache-control")).toBe("no-store");
    const rows = await owner.db.idempotencyKey.findMany({ where: { organizationId: owner.organizationId } });
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(key);
  });
});
