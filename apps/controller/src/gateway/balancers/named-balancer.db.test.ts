import { type CreateExposure, mostInstances } from "@fairlead/domain/exposure";
import { createAddressPool, createExposure, updateExposure } from "@fairlead/services";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type BalancerFixture, type BalancerStage, onBalancerStage, patience } from "../testing/balancer-stage.ts";
import { pod, podAddress } from "../testing/test-balancer.ts";

let stage: BalancerStage;
let fixture: BalancerFixture;
onBalancerStage((ours, entered) => {
  stage = ours;
  fixture = entered;
});

type PerReplica = Extract<CreateExposure["strategy"], { type: "per-replica" }>;
let strategy: PerReplica;
beforeEach(async () => {
  const { clusterId } = fixture;
  const pool = await createAddressPool(fixture.now(), {
    clusterId,
    name: "names",
    prefix: "198.51.100.0/24",
    note: "",
  });
  strategy = {
    ...{ type: "per-replica", addressing: "shared-sni", replicas: 2 },
    ...{ poolId: pool.id, dnsZone: "games.example.com" },
  };
});

const expose = (more: Partial<PerReplica> = {}) =>
  createExposure(fixture.now(), {
    ...{ ...fixture.spec, name: "named", strategy: { ...strategy, ...more } },
    ports: [{ port: 443, targetPort: 8443, protocol: "tcp" }],
  });
const mapOf = async (exposureId: string) =>
  (await stage.database.db.addressMapping.findMany({ where: { exposureId }, orderBy: { instance: "asc" } })).map(
    (each) =>
      `${each.instance} ${each.internalAddress}:${each.internalPort} ${each.externalAddress}:${each.externalPort} ${each.serverName} ${each.ready}`,
  );
/** The config of each balancer. */
const carried = () =>
  fixture.balancers.map((balancer) =>
    balancer.services().map(({ address, port, delivery, backends }) => ({
      ...{ at: `${address}:${port}`, delivery },
      // Sorted by id, which is arbitrary for two that are created together.
      backends: backends.map((each) => `${each.address} ${each.state} ${each.serverNames.join()}`).sort(),
    })),
  );
/** For the maximum number of instances. */
const long = { timeout: 60_000, interval: 100 };
const serves = (id: string) =>
  vi.waitFor(async () => expect((await fixture.exposure(id)).phase).toBe("serving"), patience);

describe("one address for all instances, which are distinguished by server name", () => {
  it("has every instance as backend by its name, and the map contains the server names", async () => {
    await fixture.join(2);
    await fixture.runs([pod(1), pod(2)]);
    const { id } = await expose();
    await serves(id);
    const service = {
      ...{ at: "198.51.100.1:443", delivery: "proxy" },
      backends: ["10.8.0.1 active web-1.games.example.com", "10.8.0.2 active web-2.games.example.com"],
    };
    expect(carried()).toEqual([[service], [service]]);
    await vi.waitFor(
      async () =>
        expect(await mapOf(id)).toEqual([
          "web-1 10.8.0.1:8443 198.51.100.1:443 web-1.games.example.com true",
          "web-2 10.8.0.2:8443 198.51.100.1:443 web-2.games.example.com true",
        ]),
      patience,
    );
    expect(await stage.database.db.loadBalancer.count({ where: { exposureId: id } })).toBe(1);
  });

  it("moves the name with an instance that returns elsewhere, and drains its old connections", async () => {
    stage.times.drainMs = 5_000;
    await fixture.join(2);
    await fixture.runs([pod(1), pod(2)]);
    const { id } = await expose();
    await serves(id);
    await fixture.runs([pod(1), pod(2, { addresses: [podAddress(9)] })]);
    await vi.waitFor(() => {
      const [[service] = []] = carried();
      expect(service?.backends).toEqual([
        "10.8.0.1 active web-1.games.example.com",
        "10.8.0.2 draining web-2.games.example.com",
        expect.stringMatching(/^10\.8\.0\.9 (filling|active) web-2\.games\.example\.com$/),
      ]);
    }, patience);
    await vi.waitFor(
      async () =>
        expect((await mapOf(id))[1]).toBe("web-2 10.8.0.9:8443 198.51.100.1:443 web-2.games.example.com true"),
      patience,
    );
    await fixture.runs([pod(1, { ready: false })]);
    await vi.waitFor(
      async () =>
        expect(await mapOf(id)).toEqual(["web-1 10.8.0.1:8443 198.51.100.1:443 web-1.games.example.com false"]),
      patience,
    );
  });

  it("sends no traffic to instances beyond the limit, and reports their number and invalid names", async () => {
    await fixture.join(1);
    const places = Array.from({ length: mostInstances }, (_, n) => `10.8.${Math.floor(n / 200)}.${(n % 200) + 1}`);
    const odd = pod(0, { name: "a b", addresses: ["10.9.0.1"] });
    await fixture.runs([odd, ...places.map((address, n) => pod(n + 1, { addresses: [address] }))]);
    const { id } = await expose({ replicas: 1 });
    await vi.waitFor(async () => {
      const { phase, message } = await fixture.exposure(id);
      expect(phase).toBe("degraded");
      expect(message).toBe(
        [
          "Serving on 1 of 1 replica; 1000 of 1000 backends are up.",
          "2001 instances are 1 more than one exposure may have: scale down deployment default/web, or split it into several exposures.",
          "999 instances of deployment default/web are left out: a balancer has at most 1000 backends, one for each port of an instance. Split them into several exposures.",
          "1 instance of deployment default/web has a name that isn't a valid host name, such as a b: no client can request it. Use letters, digits and hyphens, and at most 63 between dots.",
        ].join(" "),
      );
    }, long);
    await vi.waitFor(async () => {
      const mapped = await stage.database.db.addressMapping.findMany({ where: { exposureId: id } });
      const carriedNames = new Set(carried()[0]?.[0]?.backends.map((each) => each.split(" ")[2]));
      expect(mapped).toHaveLength(1_999);
      expect(carriedNames.size).toBe(1_000);
      expect(mapped.filter((each) => each.ready !== carriedNames.has(each.serverName ?? ""))).toEqual([]);
    }, long);
  });

  it("renames them if the zone changes, but can't change its addressing", async () => {
    await fixture.join(2);
    await fixture.runs([pod(1)]);
    const { id } = await expose();
    await serves(id);
    await updateExposure(fixture.now(), id, { strategy: { ...strategy, dnsZone: "play.example.com" } });
    await vi.waitFor(async () => {
      expect(await mapOf(id)).toEqual(["web-1 10.8.0.1:8443 198.51.100.1:443 web-1.play.example.com true"]);
      expect(carried()[0]?.[0]?.backends).toEqual(["10.8.0.1 active web-1.play.example.com"]);
    }, patience);
    const other = updateExposure(fixture.now(), id, { strategy: { ...strategy, addressing: "balancer" } });
    await expect(other).rejects.toThrow("can't change to or from");
  });
});
