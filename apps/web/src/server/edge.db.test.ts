import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { Permission } from "@fairlead/domain/access";
import { createApiKey, ensureFirstOwner } from "@fairlead/services";
import { findPageProblems } from "@fairlead/telemetry/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

const own = "http://127.0.0.1:3999";
const password = "a password of some length";

let database: TestDatabase;
let cookie: string;
let key: string;
let makeKey: (requestsPerMinute: number) => Promise<string>;
let rest: (request: Request) => Promise<Response>;
let answerTrpc: (request: Request) => Promise<Response>;

beforeAll(async () => {
  database = await createTestDatabase();
  vi.stubEnv("DATABASE_URL", database.url);
  vi.stubEnv("FAIRLEAD_SECRET", "only-for-tests-".repeat(3));
  vi.stubEnv("FAIRLEAD_URL", own);
  ({ rest } = await import("./rest.ts"));
  ({ answerTrpc } = await import("./trpc.ts"));
  await ensureFirstOwner({ db: database.db, email: "ada@example.com", name: "Ada", password });
  const { auth } = await import("./auth.ts");
  const signedIn = await auth().handler(
    new Request(`${own}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: own },
      body: JSON.stringify({ email: "ada@example.com", password }),
    }),
  );
  cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  const { createContext } = await import("./context.ts");
  const ctx = createContext({ headers: new Headers({ cookie }) });
  const owner = { ...ctx, ...(await ctx.identify()) };
  const scopes: Permission[] = ["cluster:read", "cluster:write"];
  makeKey = async (requestsPerMinute) => {
    const made = await createApiKey(owner, { name: "k", role: "owner", scopes, requestsPerMinute, expiresAt: null });
    return made.key;
  };
  key = await makeKey(600);
});

afterAll(async () => {
  const { stopFeed } = await import("./feed-hub.ts");
  const { db } = await import("./db.ts");
  await stopFeed();
  await db().$disconnect();
  await database.drop();
  vi.unstubAllEnvs();
});

let made = 0;
const headersOf = (given: Record<string, string>) => ({ "content-type": "application/json", ...given });
const create = (given: Record<string, string>) =>
  rest(
    new Request(`${own}/api/v1/clusters`, {
      method: "POST",
      headers: headersOf(given),
      body: JSON.stringify({ name: `c${++made}`, kind: "lab" }),
    }),
  );
const createByTrpc = (given: Record<string, string>) => {
  const body = JSON.stringify({ name: `c${++made}`, kind: "lab" });
  const headers = headersOf({ "content-length": String(body.length), ...given });
  return answerTrpc(new Request(`${own}/api/trpc/cluster.create`, { method: "POST", headers, body }));
};

describe("clients that are allowed to change something", () => {
  it.each([
    ["no credentials", {}, 401],
    ["a session, from our own pages", { cookie: "", origin: own }, 200],
    ["a session, from another site", { cookie: "", origin: "https://evil.example" }, 403],
    ["a session, from another site that hides its origin", { cookie: "", "sec-fetch-site": "cross-site" }, 403],
    ["a key, from anywhere", { key: "", origin: "https://pipeline.example" }, 200],
    [
      "a wrong key with a valid cookie",
      { cookie: "", key: "fl_wrong-wrong-wrong-wrong-wrong-wrong", origin: own },
      401,
    ],
  ])("%s", async (_, given: Record<string, string>, status) => {
    const { key: presented, cookie: kept, ...others } = given;
    const headers = {
      ...others,
      ...(kept === undefined ? {} : { cookie }),
      ...(presented === undefined ? {} : { authorization: `Bearer ${presented || key}` }),
    };
    expect((await create(headers)).status).toBe(status === 200 ? 201 : status);
    expect((await createByTrpc(headers)).status).toBe(status);
  });

  it("allows reads with a cookie from any site", async () => {
    const response = await rest(
      new Request(`${own}/api/v1/session`, { headers: { cookie, origin: "https://elsewhere.example" } }),
    );
    expect(await response.json()).toMatchObject({ user: { email: "ada@example.com" } });
  });
});

describe("a key's limit counts each call", () => {
  it("of a batch too, and calls beyond the limit are rejected", async () => {
    const headers = { authorization: `Bearer ${await makeKey(5)}` };
    const calls = new Array(8).fill("cluster.list");
    const input = encodeURIComponent(JSON.stringify(Object.fromEntries(calls.map((_, i) => [i, {}]))));
    const url = `${own}/api/trpc/${calls.join()}?batch=1&input=${input}`;
    const response = await answerTrpc(new Request(url, { headers }));
    const answers = (await response.json()) as { error?: { data: { code: string } } }[];
    const refused = answers.flatMap(({ error }) => error?.data.code ?? []);
    expect([answers.length, refused]).toEqual([8, new Array(3).fill("TOO_MANY_REQUESTS")]);
  });

  it("once over REST", async () => {
    const headers = { authorization: `Bearer ${await makeKey(3)}` };
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await rest(new Request(`${own}/api/v1/clusters`, { headers }))).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});

describe("a page of another organisation than the session's", () => {
  const other = "org_00000000000000000000000000";

  it("gets no data and no stream", async () => {
    const named = { "x-fairlead-organization": other };
    const refused = await createByTrpc({ cookie, origin: own, ...named });
    expect(refused.status).toBe(412);
    expect(await refused.text()).toContain("other-organization");
    const connectionParams = encodeURIComponent(JSON.stringify(named));
    const stream = await answerTrpc(
      new Request(`${own}/api/trpc/live.changes?connectionParams=${connectionParams}`, {
        headers: { cookie, accept: "text/event-stream" },
      }),
    );
    expect(await stream.text()).toContain("other-organization");
  });
});

describe("health and metrics of the process", () => {
  it("is ready with a migrated database, and returns the reason otherwise", async () => {
    const { findTrouble } = await import("./ready.ts");
    await database.db.$executeRawUnsafe('ALTER TABLE "allowance" RENAME TO "hidden"');
    expect(await findTrouble()).toBe("The database is not migrated to this version yet.");
    await database.db.$executeRawUnsafe('ALTER TABLE "hidden" RENAME TO "allowance"');
    expect(await findTrouble()).toBeNull();
  });

  it("serves metrics to any valid API key only", async () => {
    const { answerMetrics } = await import("./answer-metrics.ts");
    const read = (headers: Record<string, string>) => answerMetrics(new Request(`${own}/metrics`, { headers }));
    const statuses: [Record<string, string>, number][] = [
      [{}, 401],
      [{ cookie }, 401],
      [{ authorization: "Bearer fl_wrong-wrong-wrong-wrong-wrong-wrong" }, 401],
      [{ authorization: `Bearer ${key}` }, 200],
      [{ "x-api-key": key }, 200],
    ];
    for (const [headers, status] of statuses)
      expect((await read(headers)).status, JSON.stringify(headers)).toBe(status);
    expect((await read({})).headers.get("www-authenticate")).toBe("Bearer");
    expect(await (await read({ authorization: `Bearer ${key}` })).text()).toContain("fairlead_web_faults_total");
    const limited = { authorization: `Bearer ${await makeKey(1)}` };
    expect([(await read(limited)).status, (await read(limited)).status]).toEqual([200, 429]);
  });

  it("counts requests by route, never by unknown names", async () => {
    const { metrics } = await import("./metrics.ts");
    await rest(new Request(`${own}/api/v1/made-up-by-a-caller`));
    await answerTrpc(new Request(`${own}/api/trpc/made.up.by.a.caller`));
    const page = await metrics().all.page();
    expect(page).toMatch(/request_duration_seconds_count\{route="\/api\/v1\/clusters",method="POST",status="201"\} \d/);
    expect(page).toMatch(
      /request_duration_seconds_count\{route="\/api\/trpc\/cluster\.create",method="POST",status="200"\} \d/,
    );
    expect(page).toContain("fairlead_web_live_streams 0");
    expect(await findPageProblems(page)).toEqual([]);
    expect(page).not.toContain("made");
    for (const secret of [key, cookie.split("=")[1] ?? "", database.url]) expect(page).not.toContain(secret);
  });
});
