import dns, { type LookupAddress } from "node:dns";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { type CreateIdentityProvider, providerKey, createIdentityProvider as schema } from "@fairlead/domain/access";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { ServiceContext } from "../../context.ts";
import { createTestOrganization, createTestUser } from "../../testing/index.ts";
import { identityProviderBox } from "./config.ts";
import { createIdentityProvider } from "./create.ts";
import { deleteIdentityProvider } from "./delete.ts";
import { listIdentityProviders, listSignInProviders } from "./list.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let server: Server;
let issuer: string;
let answer: RequestListener;

type Resolved = (error: null, found: LookupAddress[]) => void;

const clientSecret = "a client secret that must stay hidden";

beforeAll(async () => {
  database = await createTestDatabase();
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await database.drop();
});
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  ctx.settings.oidcEndpoints = [issuer];
  answer = json(discovery());
});
afterEach(() => database.db.ssoProvider.deleteMany());

function discovery(changes: object = {}) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/me`,
    ...changes,
  };
}

function json(body: unknown): RequestListener {
  return (_request, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function spec(input: Partial<CreateIdentityProvider> = {}): CreateIdentityProvider {
  return schema.parse({
    name: "works",
    issuer,
    clientId: "fairlead",
    clientSecret,
    domains: ["example.com"],
    ...input,
  });
}

describe("an identity provider", () => {
  it("is queried for its endpoints once, and its secret is sealed", async () => {
    const created = await createIdentityProvider(ctx, spec());
    expect(created).toEqual({
      id: expect.stringMatching(/^idp_/),
      name: "works",
      issuer,
      clientId: "fairlead",
      domains: ["example.com"],
      defaultRole: "viewer",
      callbackPath: `/api/auth/sso/callback/${ctx.organizationId}.works`,
      createdAt: ctx.now,
    });
    const [row] = await database.db.$queryRaw<{ oidc_config: string }[]>`SELECT * FROM sso_provider`;
    expect(JSON.stringify(row)).not.toContain(clientSecret);
    expect(JSON.parse(identityProviderBox(ctx.settings.secret).open(row?.oidc_config ?? ""))).toMatchObject({
      clientSecret,
      tokenEndpoint: `${issuer}/token`,
      tokenEndpointAuthentication: "client_secret_basic",
      pkce: true,
    });
  });

  it("is listed to owners, without its secret, and by name on the sign-in page", async () => {
    await createIdentityProvider(ctx, spec());
    const page = await listIdentityProviders(ctx, { limit: 5, sort: "name", direction: "asc" });
    expect(page.items).toMatchObject([{ name: "works", clientId: "fairlead" }]);
    expect(JSON.stringify(page)).not.toContain(clientSecret);
    expect(await listSignInProviders(ctx.db)).toEqual([
      { key: providerKey(ctx.organizationId, "works"), name: "works", organization: null },
    ]);
    const viewer = await createTestUser(ctx, "viewer");
    await expect(listIdentityProviders(viewer, { limit: 5, sort: "name", direction: "asc" })).rejects.toMatchObject({
      code: "forbidden",
    });
  });

  it("receives the client secret by the method it supports", async () => {
    answer = json(discovery({ token_endpoint_auth_methods_supported: ["client_secret_post"] }));
    await createIdentityProvider(ctx, spec());
    const row = await database.db.ssoProvider.findFirstOrThrow({ select: { oidcConfig: true } });
    expect(identityProviderBox(ctx.settings.secret).open(row.oidcConfig ?? "")).toContain("client_secret_post");
    answer = json(discovery({ token_endpoint_auth_methods_supported: ["private_key_jwt"] }));
    await expect(createIdentityProvider(ctx, spec({ name: "other" }))).rejects.toThrow("by private_key_jwt");
  });

  it("loses its users' links when it is deleted", async () => {
    const { id } = await createIdentityProvider(ctx, spec());
    const person = await createTestUser(ctx, "viewer");
    const account = {
      id: "acc",
      accountId: "sub",
      providerId: providerKey(ctx.organizationId, "works"),
      userId: person.userId,
    };
    await ctx.db.account.create({ data: account });
    await deleteIdentityProvider(ctx, id);
    expect(await ctx.db.account.count()).toBe(0);
    expect(await ctx.db.session.count({ where: { userId: person.userId } })).toBe(0);
    expect(await ctx.db.member.count({ where: { userId: person.userId } })).toBe(1);
  });

  it("deleted twice at once is deleted once, and then not found", async () => {
    const { id } = await createIdentityProvider(ctx, spec());
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => deleteIdentityProvider(ctx, id)));
    const refused = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(refused).toMatchObject([{ code: "not-found" }, { code: "not-found" }]);
  });

  it("has a name that is unique in its organisation, and free in others", async () => {
    const { id } = await createIdentityProvider(ctx, spec());
    await expect(createIdentityProvider(ctx, spec())).rejects.toMatchObject({
      code: "conflict",
      fields: [{ path: ["name"] }],
    });
    const other = await createTestOrganization(database.db);
    other.settings.oidcEndpoints = [issuer];
    await expect(deleteIdentityProvider(other, id)).rejects.toMatchObject({ code: "not-found" });
    const same = await createIdentityProvider(other, spec());
    await createIdentityProvider(other, spec({ name: "alone" }));

    const organizations = await database.db.organization.findMany();
    const nameOf = (organizationId: string) => organizations.find((each) => each.id === organizationId)?.name;
    expect(await listSignInProviders(ctx.db)).toEqual([
      { key: providerKey(other.organizationId, "alone"), name: "alone", organization: null },
      ...[ctx, other].map(({ organizationId }) => ({
        key: providerKey(organizationId, "works"),
        name: "works",
        organization: nameOf(organizationId),
      })),
    ]);
    await deleteIdentityProvider(ctx, id);
    expect((await listIdentityProviders(other, { limit: 5, sort: "name", direction: "asc" })).items).toMatchObject([
      { name: "alone" },
      { id: same.id, name: "works" },
    ]);
  });

  it("called credential does not reach the accounts with passwords", async () => {
    const { id } = await createIdentityProvider(ctx, spec({ name: "credential" }));
    const person = await createTestUser(ctx, "viewer");
    await ctx.db.account.create({
      data: { id: "password", accountId: person.userId, providerId: "credential", userId: person.userId },
    });
    await deleteIdentityProvider(ctx, id);
    expect(await ctx.db.account.count({ where: { id: "password" } })).toBe(1);
  });
});

describe("an issuer that can't be used is refused with the reason, at its field", () => {
  async function expectRefusal(message: RegExp, input: Partial<CreateIdentityProvider> = {}): Promise<void> {
    await expect(createIdentityProvider(ctx, spec(input))).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(message),
      fields: [{ path: ["issuer"], message: expect.stringMatching(message) }],
    });
    expect(await database.db.ssoProvider.count()).toBe(0);
  }

  it.each<[string, string]>([
    ["a private address", "https://10.0.0.5"],
    ["a private address in IPv6", "https://[fd00::5]"],
    ["the loopback", "https://localhost"],
    ["a cloud's metadata service", "https://169.254.169.254"],
  ])("%s", (_, internal) =>
    expectRefusal(/is not on the internet; the operator of Fairlead can allow it with FAIRLEAD_OIDC_ENDPOINTS/, {
      issuer: internal,
    }),
  );

  it("not encrypted", () => expectRefusal(/must use https/, { issuer: "http://login.example.com" }));

  it("an endpoint in the internal network", () => {
    answer = json(discovery({ jwks_uri: "https://10.0.0.5/jwks" }));
    return expectRefusal(/^https:\/\/10\.0\.0\.5\/jwks can't be used: 10\.0\.0\.5 is not on the internet/);
  });

  describe("with the same message for every failure of the connection, and the reason only in the log", () => {
    async function expectNoDetails(reason: RegExp, input: Partial<CreateIdentityProvider> = {}): Promise<void> {
      const logged: string[] = [];
      ctx.logDetail = (message, { err }) => logged.push(`${message}: ${err}`);
      const document = `${input.issuer ?? issuer}/.well-known/openid-configuration`;
      const message = `No OpenID Connect discovery document could be read from ${document}. Check the issuer; the log of the dashboard has the reason.`;
      await expectRefusal(new RegExp(`^${message}$`), input);
      expect(logged).toEqual([expect.stringMatching(reason)]);
    }

    /** Every name then resolves to an address of the internal network. */
    function resolveInside(): Disposable {
      const find = (_host: string, _options: object, done: Resolved) =>
        done(null, [{ address: "10.0.0.5", family: 4 }]);
      const lookup = vi.spyOn(dns, "lookup").mockImplementation(find as typeof dns.lookup);
      return { [Symbol.dispose]: () => lookup.mockRestore() };
    }

    it("unreachable", async () => {
      const closed = createServer();
      await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
      const { port } = closed.address() as AddressInfo;
      await new Promise((resolve) => closed.close(resolve));
      const gone = `http://127.0.0.1:${port}`;
      ctx.settings.oidcEndpoints = [gone];
      await expectNoDetails(/ECONNREFUSED/, { issuer: gone });
    });

    it("unknown", () => expectNoDetails(/ENOTFOUND|EAI_AGAIN/, { issuer: "https://nowhere.invalid" }));

    it("a name of the internal network", async () => {
      using _ = resolveInside();
      await expectNoDetails(/not public/, { issuer: "https://login.example.com" });
    });

    it("an endpoint with a name of the internal network", async () => {
      answer = json(discovery({ token_endpoint: "https://token.example.com" }));
      using _ = resolveInside();
      await expectNoDetails(/not public/);
    });

    it("no such page", () => {
      answer = (_request, response) => response.writeHead(404).end();
      return expectNoDetails(/status 404/);
    });

    it("a redirect elsewhere", () => {
      answer = (_request, response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end();
      return expectNoDetails(/status 302/);
    });

    it("an HTML page", () => {
      answer = (_request, response) => response.end("<html>");
      return expectNoDetails(/SyntaxError/);
    });

    it("JSON, but no object", () => {
      answer = json([1]);
      return expectNoDetails(/expected object/);
    });

    it("an endless response", () => {
      answer = (_request, response) => {
        response.writeHead(200);
        const send = () => {
          while (response.writable && response.write("x".repeat(65_536)));
        };
        response.on("drain", send);
        send();
      };
      return expectNoDetails(/long/i);
    });
  });

  it("not an issuer: half of the required fields", () => {
    answer = json(discovery({ token_endpoint: undefined }));
    return expectRefusal(/: token_endpoint is missing or not a URL/);
  });

  it("another issuer than its metadata names", () => {
    answer = json(discovery({ issuer: "https://login.example.com/tenant" }));
    return expectRefusal(/has another issuer\. Set the issuer to https:\/\/login\.example\.com\/tenant/);
  });

  it("an endpoint that is not encrypted", () => {
    answer = json(discovery({ token_endpoint: "http://token.example.com/token" }));
    return expectRefusal(/^http:\/\/token\.example\.com\/token can't be used: the endpoint must use https/);
  });
});
