import { describe, expect, it } from "vitest";
import { passwordToFill, type RouterNetwork } from "./network.ts";
import { frrReflector, routerConfig, routerConfigFormats } from "./router-config.ts";

/** The network of the agents' tests, which start real routers from exactly the texts in testdata. */
const network: RouterNetwork = {
  asn: 65021,
  router: { asn: 65021, id: "10.79.0.1" },
  peers: [
    { name: "reflector1", address: "10.79.0.2" },
    { name: "reflector2", address: "10.79.0.3" },
  ],
  balancers: ["10.79.0.0/24"],
  services: ["203.0.113.0/24", "2001:db8:113::/64"],
  holdSeconds: 9,
  hasPassword: false,
  nearOnly: false,
  detection: null,
  mostNextHops: 64,
};
const speaker = { address: "10.79.0.4", address6: "fd79::4" };
const external: RouterNetwork = { ...network, router: { asn: 65100, id: "10.79.0.1" } };
const strict: RouterNetwork = {
  ...external,
  hasPassword: true,
  nearOnly: true,
  detection: { intervalMs: 300, multiplier: 3 },
};

describe("routerConfig", () => {
  it.each(routerConfigFormats)("writes what is written down, for %s", async (format) => {
    await expect(routerConfig(format, network, speaker)).toMatchFileSnapshot(`testdata/${format}.conf`);
    await expect(routerConfig(format, external, speaker)).toMatchFileSnapshot(`testdata/${format}-external.conf`);
    await expect(routerConfig(format, strict, speaker)).toMatchFileSnapshot(`testdata/${format}-strict.conf`);
  });

  it("writes FRR as the reflector, for routers of its own AS and of another", async () => {
    const self = { id: "10.79.0.2" };
    await expect(frrReflector(network, self, ["10.79.0.1"])).toMatchFileSnapshot("testdata/frr-reflector.conf");
    await expect(frrReflector(external, self, ["10.79.0.1"])).toMatchFileSnapshot(
      "testdata/frr-reflector-external.conf",
    );
  });

  it.each(routerConfigFormats)("leaves a gap for the password, for %s", (format) => {
    expect(routerConfig(format, strict, speaker)).toContain(passwordToFill);
    expect(routerConfig(format, network, speaker)).not.toContain(passwordToFill);
  });

  it.each(routerConfigFormats)("takes no line from a peer's name, for %s", (format) => {
    const peers = [{ name: 'rr" }\n router bgp 1\n!', address: "10.79.0.2" }];
    const lines = routerConfig(format, { ...network, peers }, speaker).split("\n");
    expect(lines.filter((line) => /router bgp 1$/.test(line))).toEqual([]);
    expect(lines.length).toBe(
      routerConfig(format, { ...network, peers: [{ name: "rr", address: "10.79.0.2" }] }, speaker).split("\n").length,
    );
  });

  it.each(routerConfigFormats)("never names a default route or takes everything, for %s", (format) => {
    const none = routerConfig(format, { ...network, services: [] }, speaker);
    expect(none).not.toMatch(/0\.0\.0\.0\/0|::\/0/);
    expect(none).not.toContain("203.0.113");
  });
});
