import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import type { Permission, Role } from "@fairlead/domain/access";
import { createApiKey, revokeApiKey, type ServiceContext } from "@fairlead/services";
import { createTestOrganization, createTestUser, settleRefusals } from "@fairlead/services/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { addressHeader, createTestApi, type TestApi } from "../testing/index.ts";

const rows = 1_030;

let database: TestDatabase;
let owner: ServiceContext;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = await createTestUser(await createTestOrganization(database.db), "owner");
  const other = await createTestOrganization(database.db);
  api = createTestApi(owner, { recheckMs: 20 });
  const entry = (n: number, organizationId: string) => ({
    id: newId("auditEntry"),
    organizationId,
    at: new Date(Date.UTC(2026, 0, 1) + n * 1_000),
    actorKind: "user",
    actorId: "usr_1",
    actorName: n === 0 ? '=HYPERLINK("http://evil.example")' : "Ada",
    action: n % 2 ? "node.update" : "cluster.update",
    subjectKind: n % 2 ? "node" : "cluster",
    subjectId: `id-${n}`,
    subjectName: `name-${n}`,
    before: { n, text: 'a "quoted", text' },
  });
  const data = Array.from({ length: rows }, (_, n) => entry(n, owner.organizationId));
  await database.db.auditEntry.createMany({ data: [...data, entry(1, other.organizationId)] });
});
afterAll(async () => {
  api.close();
  await database.drop();
});

type Line = { subjectId: string; subjectKind: string };

async function linesOf(query: string, as = owner): Promise<Line[]> {
  const response = await api.fetch(as, `/audit-entries/export?${query}`);
  expect(response.status).toBe(200);
  return (await response.text())
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

const newKey = (scopes: Permission[], role: Role = "operator") =>
  createApiKey(owner, { name: "ci", role, scopes, requestsPerMinute: 600, expiresAt: null });

describe("the export of audit entries", () => {
  it("has each entry of the organisation once, newest first, in the form of the list", async () => {
    const lines = await linesOf("");
    expect(lines.map(({ subjectId }) => subjectId)).toEqual(
      Array.from({ length: rows }, (_, n) => `id-${rows - 1 - n}`),
    );
    const list = (await (await api.fetch(owner, "/audit-entries?limit=5")).json()) as { items: object[] };
    expect(lines.slice(0, 5)).toEqual(list.items);
  });

  it.each([
    ["direction=asc", rows, "id-0"],
    ["subjectKind=node", rows / 2, "id-1029"],
    ["subjectKind=node&subjectKind=cluster", rows, "id-1029"],
    ["subjectId=id-7", 1, "id-7"],
    ["action=node.update&direction=asc", rows / 2, "id-1"],
    ["search=HYPERLINK", 1, "id-0"],
    ["actorId=usr_2", 0, undefined],
    ["from=2026-01-01T00:00:10Z&to=2026-01-01T00:00:20Z", 10, "id-19"],
  ])("is filtered like the list: %s", async (query, count, first) => {
    const lines = await linesOf(query);
    expect([lines.length, lines[0]?.subjectId]).toEqual([count, first]);
  });

  it("is a CSV file whose cells are not run as formulas", async () => {
    const response = await api.fetch(owner, "/audit-entries/export?format=csv&direction=asc&to=2026-01-01T00:00:02Z");
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const today = new Date().toISOString().slice(0, 10);
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="audit-${owner.organizationId}-${today}.csv"`,
    );
    const [head, first, second, end] = (await response.text()).split("\r\n");
    expect(head).toBe("at,id,actor_kind,actor_id,actor_name,action,subject_kind,subject_id,subject_name,before,after");
    expect(first).toContain(`,usr_1,"'=HYPERLINK(""http://evil.example"")",cluster.update,`);
    expect(second).toMatch(
      /^2026-01-01T00:00:01\.000Z,aud_\w+,user,usr_1,Ada,node\.update,node,id-1,name-1,"\{""n"":1,.*\}",$/,
    );
    expect(end).toBe("");
  });

  it("is only its header if nothing matches", async () => {
    const response = await api.fetch(owner, "/audit-entries/export?format=csv&subjectId=none");
    expect((await response.text()).split("\r\n")).toHaveLength(2);
  });

  it("reads a page only when the client has read the one before", async () => {
    const queries = vi.spyOn(database.db, "$queryRaw");
    try {
      const response = await api.fetch(owner, "/audit-entries/export");
      const reader = response.body?.getReader();
      await reader?.read();
      await new Promise((resolve) => setTimeout(resolve, 100));
      // Rows and their count: of the first page, and of the one that waits in the stream.
      expect(queries.mock.calls.length).toBeLessThanOrEqual(2 * 3);
      await reader?.cancel();
    } finally {
      queries.mockRestore();
    }
  });

  it("is cut off when the key is revoked", async () => {
    const { key, id } = await newKey(["audit:read"]);
    const response = await api.fetch(null, "/audit-entries/export", { headers: { authorization: `Bearer ${key}` } });
    const reader = response.body?.getReader();
    await reader?.read();
    await revokeApiKey(owner, id);
    const rest = async () => {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 150));
        if ((await reader?.read())?.done) return "complete";
      }
    };
    await expect(rest()).rejects.toThrow("has ended");
    expect(api.faults).toEqual([]);
  });

  it("answers HEAD without a body, and other methods not at all", async () => {
    const head = await api.fetch(owner, "/audit-entries/export", { method: "HEAD" });
    expect([head.status, head.body, head.headers.get("content-type")]).toEqual([200, null, "application/x-ndjson"]);
    expect((await api.fetch(owner, "/audit-entries/export", { method: "POST" })).status).toBe(405);
  });

  it.each([
    ["format=xml", 422, "format"],
    ["limit=5", 400, "limit"],
    ["from=yesterday", 422, "from"],
    ["search=%00", 422, "search"],
  ])("refuses %s", async (query, status, name) => {
    const response = await api.fetch(owner, `/audit-entries/export?${query}`);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ errors: [{ in: "query", name }] });
  });

  it("needs the permission audit:read", async () => {
    const viewer = await createTestUser(owner, "viewer");
    expect((await api.fetch(viewer, "/audit-entries/export")).status).toBe(403);
    expect((await api.fetch(null, "/audit-entries/export")).status).toBe(401);
  });
});

describe("requests of a key outside its scopes", () => {
  it("are counted in the audit, with the first operation, by procedures and by streams", async () => {
    const { key, id } = await newKey(["node:read"]);
    const headers = { authorization: `Bearer ${key}`, [addressHeader]: "192.0.2.9" };
    const paths = ["/audit-entries/export", "/audit-entries", "/changes", "/clusters"];
    for (const path of paths)
      expect((await api.fetch(null, path, { headers: { ...headers, accept: "*/*" } })).status).toBe(403);
    const create = { name: "east", kind: "lab", region: "", labels: {} };
    const once = { ...headers, "idempotency-key": "once" };
    expect((await api.fetch(null, "/clusters", { method: "POST", json: create, headers: once })).status).toBe(403);
    expect((await api.fetch(null, "/nodes", { headers })).status).toBe(200);
    await settleRefusals();
    const entries = await database.db.auditEntry.findMany({
      where: { action: "api-key.refuse", subjectId: id },
      orderBy: { at: "asc" },
    });
    const after = entries.map((each) => each.after as { count: number });
    expect(after.reduce((sum, { count }) => sum + count, 0)).toBe(5);
    expect(after.length).toBeLessThanOrEqual(2); // a minute may have ended in between
    expect(entries[0]).toMatchObject({
      organizationId: owner.organizationId,
      actorKind: "api-key",
      actorName: "ci",
      after: { reason: "not-permitted", operation: "audit.export", address: "192.0.2.9" },
    });
  });

  it("are counted if the verb itself refuses, although its idempotent call is rolled back", async () => {
    const { key, id } = await newKey(["member:write"], "owner");
    const headers = { authorization: `Bearer ${key}`, "idempotency-key": "granting" };
    const json = { email: "new@example.com", role: "owner" };
    expect((await api.fetch(null, "/invitations", { method: "POST", json, headers })).status).toBe(403);
    await settleRefusals();
    const where = { action: "api-key.refuse", subjectId: id };
    expect(await database.db.auditEntry.findMany({ where })).toMatchObject([
      { after: { reason: "not-permitted", operation: "invitation.create", count: 1 } },
    ]);
    expect(api.faults).toEqual([]);
  });
});
