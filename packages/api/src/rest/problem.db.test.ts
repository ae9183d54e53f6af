import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import type { Cluster } from "@fairlead/domain/cluster";
import { createApiKey, type ServiceContext } from "@fairlead/services";
import { createTestCluster, createTestOrganization } from "@fairlead/services/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestApi, type TestApi } from "../testing/index.ts";
import type { Problem } from "./problem.ts";

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

describe("a refusal is a problem that names what is wrong", () => {
  const body = (json: unknown): RequestInit & { json?: unknown } => ({ method: "POST", json });
  const cases: {
    name: string;
    path: string;
    init?: RequestInit & { json?: unknown };
    as?: "anonymous" | "viewer";
    status: number;
    errors?: object[];
    headers?: Record<string, string>;
  }[] = [
    {
      name: "an anonymous client",
      path: "/clusters",
      as: "anonymous",
      status: 401,
      headers: { "www-authenticate": 'Bearer realm="fairlead"' },
    },
    { name: "an anonymous client, with bad input", path: "/clusters?limit=x", as: "anonymous", status: 401 },
    {
      name: "an unknown key",
      path: "/clusters",
      as: "anonymous",
      init: { headers: { authorization: "Bearer fl_no" } },
      status: 401,
    },
    { name: "no permission", path: "/clusters", as: "viewer", init: body(spec), status: 403 },
    { name: "no such path", path: "/nothing", status: 404 },
    { name: "no such path below", path: "/clusters/x/y", status: 404 },
    { name: "a slash at the end", path: "/clusters/", status: 404 },
    { name: "no such row", path: `/clusters/${newId("cluster")}`, status: 404 },
    {
      name: "an id of another kind",
      path: "/clusters/exp_1",
      status: 422,
      errors: [{ in: "path", name: "id", message: "enter an id that starts with clu_" }],
    },
    { name: "an invalid escape sequence", path: "/clusters/%zz", status: 400 },
    {
      name: "a method that the path lacks",
      path: "/clusters",
      init: { method: "PUT" },
      status: 405,
      headers: { allow: "GET, HEAD, POST, OPTIONS" },
    },
    { name: "an unavailable format", path: "/clusters", init: { headers: { accept: "text/html" } }, status: 406 },
    {
      name: "a body whose content type is not JSON",
      path: "/clusters",
      init: { method: "POST", body: "a=1", headers: { "content-type": "application/x-www-form-urlencoded" } },
      status: 415,
    },
    {
      name: "a body that is not JSON",
      path: "/clusters",
      init: { method: "POST", body: "{", headers: { "content-type": "application/json" } },
      status: 400,
      errors: [{ in: "body", pointer: "#", message: "not JSON" }],
    },
    {
      name: "a body that is not UTF-8",
      path: "/clusters",
      init: {
        method: "POST",
        body: new Uint8Array([0x22, 0xff, 0x22]),
        headers: { "content-type": "application/json" },
      },
      status: 400,
    },
    {
      name: "a body that is a list",
      path: "/clusters",
      init: body([]),
      status: 422,
      errors: [{ in: "body", pointer: "#", message: "expected an object" }],
    },
    {
      name: "no body",
      path: "/clusters",
      init: { method: "POST" },
      status: 422,
      errors: [
        { in: "body", pointer: "#/name" },
        { in: "body", pointer: "#/kind" },
      ],
    },
    {
      name: "a body over the size limit",
      path: "/clusters",
      init: body({ ...spec, region: "x".repeat(1_100_000) }),
      status: 413,
    },
    {
      name: "a wrong field",
      path: "/clusters",
      init: body({ ...spec, name: "Not A Name" }),
      status: 422,
      errors: [{ in: "body", pointer: "#/name" }],
    },
    {
      name: "a misspelled field",
      path: "/clusters",
      init: body({ ...spec, regoin: "x" }),
      status: 422,
      errors: [{ in: "body", pointer: "#/regoin", message: "there is no such field" }],
    },
    {
      name: "a field of the path in the body",
      path: `/clusters/${newId("cluster")}`,
      init: { method: "PATCH", json: { id: "clu_1" } },
      status: 422,
      errors: [{ in: "body", pointer: "#/id" }],
    },
    {
      name: "a NUL character",
      path: "/clusters",
      init: body({ ...spec, labels: { a: "x\0" } }),
      status: 422,
      errors: [{ in: "body", pointer: "#/labels/a" }],
    },
    {
      name: "an escaped NUL character in a query",
      path: "/clusters?search=%00",
      status: 422,
      errors: [{ in: "query", name: "search" }],
    },
    {
      name: "an unknown parameter",
      path: "/clusters?limt=3",
      status: 400,
      errors: [{ in: "query", name: "limt" }],
    },
    {
      name: "a parameter given twice",
      path: "/clusters?limit=3&limit=4",
      status: 400,
      errors: [{ in: "query", name: "limit", message: "given more than once" }],
    },
    {
      name: "a parameter of the wrong type",
      path: "/clusters?limit=many",
      status: 422,
      errors: [{ in: "query", name: "limit" }],
    },
    {
      name: "a parameter out of range",
      path: "/clusters?limit=0",
      status: 422,
      errors: [{ in: "query", name: "limit" }],
    },
    {
      name: "a cursor of another list",
      path: "/clusters?cursor=abc",
      status: 422,
      errors: [{ in: "query", name: "cursor" }],
    },
    {
      name: "a page with both a cursor and an offset",
      path: "/clusters?cursor=abc&offset=1",
      status: 422,
      errors: [{ in: "query", name: "offset", message: "set either offset or cursor, not both" }],
    },
    { name: "an invalid time", path: "/events?from=0", status: 422, errors: [{ in: "query", name: "from" }] },
    {
      name: "an idempotency key with spaces",
      path: "/clusters",
      init: { ...body(spec), headers: { "idempotency-key": "a b" } },
      status: 400,
      errors: [{ in: "header", name: "Idempotency-Key" }],
    },
    {
      name: "an If-Match that is no tag",
      path: `/clusters/${newId("cluster")}`,
      init: { method: "PATCH", json: {}, headers: { "if-match": "seven" } },
      status: 400,
      errors: [{ in: "header", name: "If-Match" }],
    },
    {
      name: "an If-Match where it is not supported",
      path: "/clusters",
      init: { ...body(spec), headers: { "if-match": '"1"' } },
      status: 400,
      errors: [{ in: "header", name: "If-Match" }],
    },
  ];

  it.each(cases)("$status $name", async ({ path, init, as, status, errors, headers }) => {
    const viewer = { ...owner, actor: { kind: "user", id: "v", name: "V", role: "viewer" } as const };
    const response = await api.fetch(as === "anonymous" ? null : as === "viewer" ? viewer : owner, path, init ?? {});
    const problem = (await response.json()) as Problem;
    expect(response.status, JSON.stringify(problem)).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(problem).toMatchObject({ status, title: expect.any(String), detail: expect.any(String) });
    expect(problem.type).toMatch(/^urn:fairlead:problem:[a-z-]+$/);
    expect(problem.instance).toBe(`urn:fairlead:request:${response.headers.get("x-request-id")}`);
    if (errors) expect(problem.errors).toMatchObject(errors);
    for (const [name, value] of Object.entries(headers ?? {})) expect(response.headers.get(name)).toBe(value);
    expect(api.faults).toEqual([]);
  });

  it("409 a duplicate name, with the field", async () => {
    const response = await api.fetch(owner, "/clusters", { method: "POST", json: { ...spec, name: cluster.name } });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ errors: [{ in: "body", pointer: "#/name" }] });
  });

  it("429 a key over its rate limit, with the time to wait", async () => {
    const { key } = await createApiKey(owner, {
      name: "slow",
      role: "viewer",
      scopes: ["cluster:read"],
      requestsPerMinute: 1,
      expiresAt: null,
    });
    const ask = () => api.fetch(null, "/clusters", { headers: { authorization: `Bearer ${key}` } });
    expect((await ask()).status).toBe(200);
    const response = await ask();
    expect(response.status).toBe(429);
    // A minute after the first request, less the duration of this one.
    const retryAfter = Number(response.headers.get("retry-after"));
    expect(retryAfter).toBeGreaterThan(20);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(await response.json()).toMatchObject({ type: "urn:fairlead:problem:rate-limited" });
  });

  it("500 hides the cause from the client, and logs it in full", async () => {
    const broken = createTestApi({ ...owner, db: null as never });
    const response = await broken.fetch(owner, "/clusters");
    const problem = (await response.json()) as Problem;
    expect(response.status).toBe(500);
    expect(JSON.stringify(problem)).not.toContain("null");
    expect(broken.faults).toMatchObject([{ operation: "cluster.list", error: expect.any(TypeError) }]);
    expect(problem.instance).toBe(`urn:fairlead:request:${broken.faults[0]?.requestId}`);
    broken.close();
  });
});
