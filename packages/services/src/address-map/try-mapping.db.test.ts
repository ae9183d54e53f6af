import net from "node:net";
import tls from "node:tls";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createTestExposure, createTestOrganization } from "../testing/index.ts";
import { createTestCertificate } from "../testing/kubeconfig.ts";
import { replaceMappings } from "./replace-mappings.ts";
import { tryMapping } from "./try-mapping.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let id: string;
let loadBalancerId: string;
const servers: net.Server[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const server of servers) server.close();
  await database.drop();
});
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  const made = await createTestExposure(ctx);
  id = made.exposure.id;
  loadBalancerId = (await ctx.db.loadBalancer.findFirstOrThrow({ where: { exposureId: id } })).id;
});

type SeenEnd = { externalAddress: string; externalPort: number; protocol?: "tcp" | "udp"; serverName?: string };

async function see(...ends: SeenEnd[]): Promise<void> {
  const mappings = ends.map((end, n) => ({
    ...{ loadBalancerId, instance: "redis-0", pod: "redis-0", node: "node-a", protocol: "tcp" as const },
    ...{ internalAddress: "10.0.0.1", internalPort: 6379 + n, ready: true, ...end },
  }));
  await replaceMappings(ctx.db, { id, organizationId: ctx.organizationId }, [loadBalancerId], mappings, ctx.now);
}

function listen(server: net.Server): Promise<number> {
  servers.push(server);
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve((server.address() as net.AddressInfo).port)),
  );
}

const anywhere = () => false;
const attempt = (by: "tcp" | "tls", serverName?: string) =>
  tryMapping(ctx, { id, instance: "redis-0", by, ...(serverName ? { serverName } : {}) }, anywhere);

describe("trying an instance", () => {
  it("connects to each of its ends, and returns how long that took", async () => {
    const port = await listen(net.createServer());
    await see(
      { externalAddress: "127.0.0.1", externalPort: port },
      { externalAddress: "127.0.0.1", externalPort: port, protocol: "udp" },
    );
    const { ends, skipped } = await attempt("tcp");
    expect(ends).toEqual([
      expect.objectContaining({ externalAddress: "127.0.0.1", externalPort: port, problem: "", tls: null }),
    ]);
    expect(ends[0]?.connectMs).toBeGreaterThan(0);
    expect(skipped).toEqual([`127.0.0.1 port ${port}: UDP has no connection to try.`]);
  });

  it("tries nothing where an end has no external address yet, and reports so", async () => {
    await see({ externalAddress: "", externalPort: 6379 });
    const { ends, skipped } = await attempt("tcp");
    expect([ends, skipped]).toEqual([[], ["Port 6379: it has no external address yet."]]);
  });

  it("reports that nothing listens, and that a name does not resolve", async () => {
    const server = net.createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    await see(
      { externalAddress: "127.0.0.1", externalPort: port },
      { externalAddress: "missing.invalid", externalPort: 6379 },
    );
    const { ends } = await attempt("tcp");
    expect(ends.map(({ problem }) => problem)).toEqual([
      `Nothing listens at port ${port}, or its firewall refuses.`,
      expect.stringMatching(/missing\.invalid/),
    ]);
  });

  it("reports the server's certificate, and why a client would refuse it", async () => {
    const { certificate: cert, key } = await createTestCertificate("redis-0.example.com");
    const port = await listen(tls.createServer({ cert, key, ALPNProtocols: ["h2"] }));
    await see({ externalAddress: "127.0.0.1", externalPort: port });
    const { ends } = await attempt("tls", "redis-0.example.com");
    expect(ends[0]?.problem).toBe("");
    expect(ends[0]?.handshakeMs).toBeGreaterThan(0);
    expect(ends[0]?.tls).toMatchObject({
      ...{ version: "TLSv1.3", applicationProtocol: "h2" },
      certificate: { subject: "CN=redis-0.example.com", names: [] },
      distrust: expect.stringContaining("it isn't signed by a public authority"),
    });
  });

  it("requests the server name of the map unless another is given", async () => {
    const { certificate: cert, key } = await createTestCertificate("redis-0.example.com");
    const serverNames: string[] = [];
    const SNICallback = (name: string, done: (error: null) => void) => {
      serverNames.push(name);
      done(null);
    };
    const port = await listen(tls.createServer({ cert, key, SNICallback }));
    await see({ externalAddress: "127.0.0.1", externalPort: port, serverName: "redis-0.example.com" });
    await attempt("tls");
    await attempt("tls", "another.example.com");
    expect(serverNames).toEqual(["redis-0.example.com", "another.example.com"]);
  });

  it("distinguishes a server that isn't TLS from one that closes the connection", async () => {
    const plain = await listen(net.createServer((socket) => socket.end("-ERR unknown command\r\n")));
    const curt = await listen(net.createServer((socket) => socket.once("data", () => socket.destroy())));
    await see({ externalAddress: "127.0.0.1", externalPort: plain });
    expect((await attempt("tls")).ends[0]?.problem).toBe("The connection is accepted, but the response isn't TLS.");
    await see({ externalAddress: "127.0.0.1", externalPort: curt });
    expect((await attempt("tls")).ends[0]?.problem).toContain("closed when TLS starts");
  });

  it("times out on a silent server", async () => {
    const port = await listen(net.createServer());
    await see({ externalAddress: "127.0.0.1", externalPort: port });
    const began = performance.now();
    expect((await attempt("tls")).ends[0]?.problem).toContain("TLS isn't answered within 3 s");
    expect(performance.now() - began).toBeLessThan(6_000);
  });

  it("connects only to addresses that are surely another host's, whatever a cluster wrote into its Services", async () => {
    const callers: net.Socket[] = [];
    const port = await listen(net.createServer((socket) => callers.push(socket)));
    await see(
      { externalAddress: "127.0.0.1", externalPort: port },
      { externalAddress: "169.254.169.254", externalPort: 80 },
      { externalAddress: "::1", externalPort: port },
      { externalAddress: "fe80::1", externalPort: port },
      { externalAddress: "ff02::1", externalPort: port },
      { externalAddress: "fd00:ec2::254", externalPort: 80 },
      { externalAddress: "64:ff9b::7f00:1", externalPort: port },
      { externalAddress: "localhost", externalPort: port },
    );
    const { ends } = await tryMapping(ctx, { id, instance: "redis-0", by: "tcp" });
    expect(ends).toHaveLength(8);
    for (const { externalAddress, problem, connectMs } of ends) {
      const which =
        externalAddress === "localhost" ? String.raw`localhost is (127\.0\.0\.1|::1), which` : externalAddress;
      expect(problem).toMatch(
        new RegExp(`^${which} may be an address of the control plane itself, so it isn't tried\\.$`),
      );
      expect(connectMs).toBeNull();
    }
    expect(callers).toEqual([]);
  });

  it("refuses an instance that is not in the map, and an actor who may not change the exposure", async () => {
    await see({ externalAddress: "192.0.2.1", externalPort: 6379 });
    await expect(tryMapping(ctx, { id, instance: "redis-9", by: "tcp" }, anywhere)).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining("redis-9"),
    });
    const viewer = { ...ctx, actor: { kind: "user" as const, id: "usr_1", name: "Vera", role: "viewer" as const } };
    await expect(tryMapping(viewer, { id, instance: "redis-0", by: "tcp" }, anywhere)).rejects.toMatchObject({
      code: "forbidden",
    });
  });
});
