import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import type { ServiceContext } from "@fairlead/services";
import { createTestOrganization, createTestUser } from "@fairlead/services/testing";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Identity } from "./context.ts";
import type { ErrorData } from "./error-shape.ts";
import { appRouter } from "./root.ts";
import { createTestApi, type TestApi } from "./testing/index.ts";
import { transformer } from "./transformer.ts";

let database: TestDatabase;
let owner: ServiceContext;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = await createTestOrganization(database.db);
  api = createTestApi(owner);
});
afterAll(async () => {
  api.close();
  await database.drop();
});

type Answer = { result?: { data: unknown }; error?: { message: string; data: ErrorData } };

/** The answer as a browser gets it. */
async function ask(
  as: Identity | null,
  path: string,
  input: unknown,
  from = api,
): Promise<{ status: number; text: string; answer: Answer }> {
  const isQuery = /\.(list|get)$/.test(path);
  const sent = JSON.stringify(transformer.serialize(input));
  const url = `http://fairlead.test/api/trpc/${path}${isQuery ? `?input=${encodeURIComponent(sent)}` : ""}`;
  const init = isQuery ? {} : { method: "POST", body: sent, headers: { "content-type": "application/json" } };
  const response = await fetchRequestHandler({
    endpoint: "/api/trpc",
    req: new Request(url, init),
    router: appRouter,
    createContext: () => from.context(as),
  });
  const text = await response.text();
  return { status: response.status, text, answer: transformer.deserialize(JSON.parse(text)) as Answer };
}

describe("an error over tRPC", () => {
  it("names the invalid fields, and the outcome in our own vocabulary", async () => {
    const { status, answer } = await ask(owner, "cluster.create", {
      name: "Not A Name",
      kind: "lab",
      labels: { a: "x\0" },
    });
    expect(status).toBe(422);
    expect(answer.error?.data).toMatchObject({ outcome: "invalid", fields: [{ path: ["labels", "a"] }] });
    const again = await ask(owner, "cluster.create", { name: "Not A Name", kind: "lamb", regoin: "" });
    expect(again.answer.error?.data.fields.map(({ path }) => path.join(".")).sort()).toEqual([
      "kind",
      "name",
      "regoin",
    ]);
  });

  it.each([
    ["an anonymous client", () => null, "cluster.list", {}, 401, "unauthenticated"],
    ["no such row", () => owner, "cluster.get", { id: newId("cluster") }, 404, "not-found"],
    [
      "another change first",
      () => owner,
      "cluster.update",
      { id: newId("cluster"), expectedGeneration: 3 },
      404,
      "not-found",
    ],
    [
      "no permission",
      () => ({ ...owner, actor: { kind: "user", id: "v", name: "v", role: "viewer" } as const }),
      "cluster.create",
      { name: "a", kind: "lab" },
      403,
      "forbidden",
    ],
  ])("%s", async (_, as, path, input, status, outcome) => {
    const { status: answered, answer } = await ask(as(), path, input);
    expect([answered, answer.error?.data.outcome]).toEqual([status, outcome]);
  });

  it("hides the cause, and gives the id to look it up by", async () => {
    const broken = createTestApi({ ...owner, db: null as never });
    const { status, text, answer } = await ask(owner, "cluster.list", {}, broken);
    expect(status).toBe(500);
    expect(text).not.toMatch(/stack|TypeError|properties|\.ts/);
    expect(answer.error?.data.requestId).toBe(broken.faults[0]?.requestId);
    expect(answer.error?.message).toContain(String(broken.faults[0]?.requestId));
    broken.close();
  });
});

describe("a page that shows another organisation than its session's", () => {
  const shown = newId("organization");
  const elsewhere = () => ({ ...api, context: () => ({ ...api.context(owner), shownOrganizationId: shown }) });

  it("can change nothing, and can't read the other organisation's data", async () => {
    const before = await owner.db.cluster.count();
    for (const [path, input] of [
      ["cluster.create", { name: "astray", kind: "lab" }],
      ["cluster.list", {}],
      ["overview.get", {}],
    ] as const) {
      const { status, answer } = await ask(owner, path, input, elsewhere());
      expect([status, answer.error?.data.outcome], path).toEqual([412, "other-organization"]);
    }
    expect(await owner.db.cluster.count()).toBe(before);
  });

  it("can read the session's organisation", async () => {
    const api = createTestApi(owner);
    const person = await createTestUser(owner, "operator");
    const context = { ...api.context(person), shownOrganizationId: shown };
    const { status, answer } = await ask(person, "session.get", {}, { ...api, context: () => context });
    expect(status).toBe(200);
    expect(answer.result?.data).toMatchObject({ organization: { id: owner.organizationId } });
    api.close();
  });

  it("works normally when the two are the same", async () => {
    const context = () => ({ ...api.context(owner), shownOrganizationId: owner.organizationId });
    expect((await ask(owner, "cluster.list", {}, { ...api, context })).status).toBe(200);
  });
});

it("transfers dates both ways", async () => {
  await ask(owner, "cluster.create", { name: "one", kind: "lab" });
  const { answer } = await ask(owner, "cluster.list", {});
  expect(answer.result?.data).toMatchObject({ items: [{ name: "one", createdAt: expect.any(Date) }] });
  const events = await ask(owner, "event.list", { from: new Date(0), to: new Date() });
  expect(events.status).toBe(200);
});
