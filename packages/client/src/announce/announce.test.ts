import { describe, expect, it } from "vitest";
import type { AddressMapEntry, MappedPort } from "../map/address-map.ts";
import { oneInstance } from "../testing/maps.ts";
import {
  announceElasticsearch,
  announceEnv,
  announceInfinispan,
  announceJson,
  announceKafka,
  announceRedis,
  type OwnEnds,
  ownEnds,
} from "./index.ts";

const port = (internal: number, external: number, name: string | null = null): MappedPort => ({
  ...{ name, protocol: "tcp", internal, external },
});
const own = (...ports: MappedPort[]): OwnEnds => ({
  ...{ instance: "redis-0", internalAddress: "10.0.5.5", externalAddress: "203.0.113.5", ports },
});

describe("finding the instance", () => {
  const find = (entries: Partial<AddressMapEntry>[], name: string, family?: 4 | 6) =>
    ownEnds(
      entries.map((each) => oneInstance(5, each)),
      name,
      family,
    )?.externalAddress;

  it("matches its name or its pod's, with or without the namespace", () => {
    for (const name of ["a", "db/redis-0", "redis-0"])
      expect(find([{ instance: "a", pod: "db/redis-0" }], name)).toBe("203.0.113.5");
    expect(find([{ instance: "a", pod: "db/redis-0" }], "redis-")).toBeUndefined();
  });

  it("returns null without an external address", () => {
    expect(find([{ externalAddress: null }], "grid-5")).toBeUndefined();
    expect(find([{ externalAddress: null }, {}], "grid-5")).toBe("203.0.113.5");
  });

  it("uses one address family, the requested one if there are both", () => {
    const six = { internalAddress: "fd00::5", externalAddress: "2001:db8::5" };
    expect(find([six, {}], "grid-5")).toBe("203.0.113.5");
    expect(find([six, {}], "grid-5", 6)).toBe("2001:db8::5");
    expect(find([six], "grid-5")).toBe("2001:db8::5");
  });

  it("uses the server name if the address is shared", () => {
    expect(find([{ serverName: "grid-5.example.com" }], "grid-5")).toBe("grid-5.example.com");
    expect(() => find([{ serverName: "a\nb" }], "grid-5")).toThrow("neither an address nor a name");
  });

  it("rejects an address that could inject configuration", () => {
    expect(() => find([{ externalAddress: "a\ncluster-enabled no" }], "grid-5")).toThrow(
      "neither an address nor a name",
    );
  });
});

describe("Redis", () => {
  const both = own(port(6_379, 30_001), port(16_379, 30_002));

  it("announces external ports", () => {
    expect(announceRedis(both)).toBe(
      "cluster-announce-ip 203.0.113.5\ncluster-announce-port 30001\ncluster-announce-bus-port 30002\n",
    );
  });

  it("announces TLS, and the plain port only if that is exposed too", () => {
    const tls = own(port(6_380, 30_003), port(16_379, 30_002));
    expect(announceRedis(tls, { tlsPort: 6_380 })).toBe(
      "cluster-announce-ip 203.0.113.5\ncluster-announce-tls-port 30003\ncluster-announce-port 0\ncluster-announce-bus-port 30002\n",
    );
    expect(announceRedis({ ...tls, ports: [...tls.ports, port(6_379, 30_001)] }, { tlsPort: 6_380 })).toContain(
      "cluster-announce-port 30001\n",
    );
  });

  it("keeps internal addresses between nodes, and announces the external one to clients", () => {
    expect(announceRedis(own(port(6_379, 6_379)), { between: "internal" })).toBe(
      "cluster-announce-ip 10.0.5.5\ncluster-announce-hostname 203.0.113.5\ncluster-preferred-endpoint-type hostname\n",
    );
    expect(() => announceRedis(both, { between: "internal" })).toThrow(
      "has external port 30001 and internal port 6379",
    );
  });

  it("rejects a name that Redis would truncate, unless it is announced as a hostname", () => {
    const long = `${"a".repeat(32)}-0123456789abcdef.elb.eu-central-1.amazonaws.com`;
    const named = { ...own(port(6_379, 6_379), port(16_379, 16_379)), externalAddress: long };
    expect(() => announceRedis(named)).toThrow("announces addresses of at most 45 characters");
    expect(announceRedis(named, { between: "internal" })).toContain(`cluster-announce-hostname ${long}\n`);
    expect(announceRedis({ ...named, externalAddress: "a".repeat(45) })).toContain(
      `cluster-announce-ip ${"a".repeat(45)}\n`,
    );
  });

  it("names the missing port and the fix", () => {
    expect(() => announceRedis(own(port(6_379, 1)))).toThrow(
      "redis-0 exposes no port 16379, the cluster bus port: expose it too, or use internal addresses between nodes (--between internal); it exposes: 6379/tcp.",
    );
    expect(() => announceRedis(own())).toThrow("it exposes: none.");
  });
});

describe("Kafka", () => {
  it("announces all listeners in one line", () => {
    expect(announceKafka(own(port(9_094, 31_000)), { also: ["INTERNAL://kafka-0.kafka:9092"] })).toBe(
      "advertised.listeners=INTERNAL://kafka-0.kafka:9092,EXTERNAL://203.0.113.5:31000\n",
    );
    const six = { ...own(port(1, 2)), externalAddress: "2001:db8::5" };
    expect(announceKafka(six, { listeners: [{ name: "OUT", port: 1 }] })).toBe(
      "advertised.listeners=OUT://[2001:db8::5]:2\n",
    );
  });

  it.each([["INTERNAL"], ["A://b:1,C://d:2"], ["A://b:1\nx=y"]])("rejects the listener %j", (also) => {
    expect(() => announceKafka(own(port(9_094, 1)), { also: [also] })).toThrow("is not a listener");
  });
});

it("Infinispan announces its Hot Rod endpoint", () => {
  expect(announceInfinispan(own(port(11_222, 31_222)))).toBe(
    '<hotrod-connector external-host="203.0.113.5" external-port="31222"/>\n',
  );
});

it("Elasticsearch announces HTTP, and the transport port only if that is exposed", () => {
  const http = 'http.publish_host: "203.0.113.5"\nhttp.publish_port: 30200\n';
  expect(announceElasticsearch(own(port(9_200, 30_200)))).toBe(http);
  expect(announceElasticsearch(own(port(9_200, 30_200), port(9_300, 30_300)))).toBe(
    `${http}transport.publish_host: "203.0.113.5"\ntransport.publish_port: 30300\n`,
  );
});

it("variables have valid shell names for any port name", () => {
  const ports = [port(80, 30_080, "http; rm -rf"), port(53, 30_053), { ...port(53, 30_054), protocol: "udp" }];
  expect(announceEnv(own(...ports), { prefix: "OUT" })).toBe(
    "OUT_HOST=203.0.113.5\nOUT_PORT_HTTP__RM__RF=30080\nOUT_PORT_53=30053\nOUT_PORT_53_UDP=30054\n",
  );
});

it("JSON contains all fields", () => {
  expect(JSON.parse(announceJson(own(port(80, 30_080))))).toEqual({
    ...own(port(80, 30_080)),
    ports: [{ ...port(80, 30_080), endpoint: "203.0.113.5:30080" }],
  });
});
