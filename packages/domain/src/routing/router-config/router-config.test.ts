import { describe, expect, it } from "vitest";
import { type RouterConfigFormat, rolesOfFormat, routerConfigFormats } from "./formats.ts";
import { passwordToFill, type RouterNetwork, routerIdOf } from "./network.ts";
import { notesOn } from "./notes.ts";
import type { RouterConfigRequest } from "./request.ts";
import { routerConfig } from "./router-config.ts";

/** The network of the agents' tests, which start real routers with exactly the configurations in testdata. */
const internal: RouterNetwork = {
  asn: 65021,
  reflectors: [
    { name: "reflector1", address: "10.79.0.2" },
    { name: "reflector2", address: "10.79.0.3" },
  ],
  routers: [{ name: "router", address: "10.79.0.1", asn: 65021 }],
  balancers: ["10.79.0.0/24"],
  speakers: [{ name: "speaker1", address: "10.79.0.5" }],
  services: ["203.0.113.0/24", "2001:db8:113::/64"],
  preference: 100,
  communities: [],
  holdSeconds: 9,
  hasPassword: false,
  nearOnly: false,
  detection: null,
  mostRoutes: 10_000,
  mostNextHops: 64,
};
const external = { ...internal, routers: [{ name: "router", address: "10.79.0.1", asn: 65100 }] };
const strictly = {
  hasPassword: true,
  nearOnly: true,
  detection: { intervalMs: 1_000, multiplier: 3 },
  preference: 200,
  med: 20,
  keepaliveSeconds: 2,
  communities: ["65021:100", "65021:200"],
  mostRoutes: 50,
};
const strict = { ...external, ...strictly };
const direct = { ...external, reflectors: [] };
const networks: Record<string, RouterNetwork> = {
  "": internal,
  "-external": external,
  "-strict": strict,
  "-strict-internal": { ...internal, ...strictly },
  "-direct": direct,
  "-direct-internal": { ...internal, reflectors: [] },
  "-direct-strict": { ...direct, ...strictly },
};

/** write returns the text for the first router or reflector, or for the host that offers services in the agents' tests. */
function write(format: RouterConfigFormat, network: RouterNetwork, role = rolesOfFormat[format][0]): string {
  return routerConfig(network, ask(format, network, role));
}
function ask(format: RouterConfigFormat, network: RouterNetwork, role = rolesOfFormat[format][0]): RouterConfigRequest {
  const [router, reflector] = [network.routers[0], network.reflectors[0]];
  const self =
    role === "speaker" ? { address: "10.79.0.4", address6: "fd79::4" } : role === "router" ? router : reflector;
  return { format, role, self } as RouterConfigRequest; // the type of self depends on the role
}
const texts = routerConfigFormats.flatMap((format) => rolesOfFormat[format].map((role) => [format, role] as const));

describe("routerConfig", () => {
  it.each(routerConfigFormats)("matches testdata, for %s", async (format) => {
    for (const [like, network] of Object.entries(networks))
      await expect(write(format, network)).toMatchFileSnapshot(`testdata/${format}${like}.conf`);
  });

  it.each(["", "-external", "-strict", "-strict-internal"])(
    "matches testdata for FRR as the reflector, %s",
    async (like) => {
      const network = networks[like] ?? internal;
      await expect(write("frr", network, "reflector")).toMatchFileSnapshot(`testdata/frr-reflector${like}.conf`);
    },
  );

  it.each(texts)("has a placeholder for the password, for %s as %s", (format, role) => {
    expect(write(format, strict, role)).toContain(passwordToFill);
    expect(write(format, internal, role)).not.toContain(passwordToFill);
  });

  it("has routers as peers of a host that offers services, in their AS, if there are no reflectors", () => {
    for (const format of ["gobgp", "exabgp"] as const) {
      const text = write(format, direct);
      expect(text).toMatch(/peer-as(?: = |\s+)65100/);
      expect(text).toContain("10.79.0.1");
      expect(text).not.toContain("10.79.0.5");
    }
  });

  it.each(["frr", "bird", "junos", "eos"] as const)(
    "accepts future balancers, with a limit of routes, for %s without reflectors",
    (format) => {
      const text = write(format, { ...direct, mostRoutes: 77 });
      expect(text).toContain("10.79.0.0/24");
      expect(text).not.toContain("10.79.0.5");
      expect(text).toContain("77");
    },
  );

  it("secures sessions of the FRR reflector with balancers and with routers", () => {
    const text = write("frr", strict, "reflector");
    for (const who of ["BALANCERS", "10.79.0.1"])
      for (const guard of [`password ${passwordToFill}`, "ttl-security hops 1", "bfd profile fairlead"])
        expect(text).toContain(`neighbor ${who} ${guard}\n`);
    expect(text).toContain("neighbor BALANCERS maximum-prefix 50 restart 1\n");
  });

  it("limits next hops to what a router supports", () => {
    const many = { ...internal, mostNextHops: 1_024 };
    expect(write("frr", many)).toContain("maximum-paths ibgp 256\n");
    expect(write("bird", many)).toContain("limit 255;");
    expect(notesOn(ask("frr", many), many)).toEqual([
      "FRR supports 256 next hops at most, not the 1024 set in the cluster.",
    ]);
  });

  it("notes that a speaker has no BFD, and how long it takes to detect a frozen host", () => {
    for (const format of ["gobgp", "exabgp"] as const)
      expect(write(format, strict)).toMatch(/^# Without BFD, .* after 9 s of silence instead of 3000 ms\.$/m);
  });

  it("sends keepalives as set in the cluster, by default every third of the hold time", () => {
    const written = {
      frr: "timers 2 9",
      bird: "keepalive time 2;",
      eos: "timers 2 9",
      "ios-xr": "timers 2 9",
    } as const;
    for (const [format, words] of Object.entries({ ...written, gobgp: "keepalive-interval = 2" })) {
      expect(write(format as RouterConfigFormat, strict)).toContain(words);
      expect(write(format as RouterConfigFormat, internal)).toContain(words.replace("2", "3"));
    }
    for (const format of ["exabgp", "junos"] as const) {
      expect(write(format, strict)).toContain("every third of the hold time, not every 2 s as set in the cluster.");
      expect(write(format, { ...strict, keepaliveSeconds: 3 })).not.toContain("as set in the cluster");
    }
  });

  it("has the MED of balancers for a host that offers services, or none", () => {
    for (const format of ["gobgp", "exabgp"] as const) {
      expect(write(format, strict).match(/ med 20 /g)).not.toBeNull();
      for (const med of [undefined, 0]) expect(write(format, { ...strict, med })).not.toContain("med ");
    }
  });

  it("leaves out peers of a family in which the host has no address", () => {
    const routers = [...direct.routers, { name: "six", address: "fd79::1", asn: 65100 }];
    const self = { address: "10.79.0.4", address6: null };
    const text = routerConfig({ ...direct, routers }, { format: "exabgp", role: "speaker", self });
    expect(text).toContain("# six is left out");
    expect(text).not.toContain("neighbor fd79::1");
    expect(text).not.toContain("2001:db8:113::/64");
  });

  it.each(texts)("allows no injection by a peer's name, for %s as %s", (format, role) => {
    const named = (name: string) => {
      const one = [{ name, address: "10.79.0.2", asn: 65021 }];
      return write(format, { ...internal, reflectors: one, routers: one }, role).split("\n");
    };
    const lines = named('rr" }\n router bgp 1\n!');
    expect(lines.filter((line) => /router bgp 1$/.test(line))).toEqual([]);
    expect(lines.length).toBe(named("rr").length);
  });

  it.each(texts)("never contains a default route or accepts everything, for %s as %s", (format, role) => {
    const none = write(format, { ...internal, services: [] }, role);
    expect(none).not.toMatch(/0\.0\.0\.0\/0|::\/0/);
    expect(none).not.toContain("203.0.113");
    for (const [, list] of none.matchAll(/(?:prefix-list|route-filter-list|destination in) (\S+)/g))
      expect(none, `${list} is named, so it has to be there`).toMatch(
        new RegExp(
          `^(?:ip|ipv6) prefix-list ${list} seq|^prefix-set ${list}|policy-options route-filter-list ${list} `,
          "m",
        ),
      );
  });
});

describe("routerIdOf", () => {
  it("is in the form of an IPv4 address for IPv6 too, and always the same", () => {
    expect(routerIdOf("10.79.0.1")).toBe("10.79.0.1");
    expect(routerIdOf("fd79::1")).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
    expect(routerIdOf("fd79::1")).toBe(routerIdOf("fd79::1"));
    expect(routerIdOf("fd79::1")).not.toBe(routerIdOf("fd79::2"));
  });
});
