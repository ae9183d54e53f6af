import { describe, expect, it } from "vitest";
import { type CarriedInstance, mapCarried } from "./map-carried.ts";

const spec = {
  strategy: { type: "per-replica", addressing: "balancer" } as const,
  cluster: { id: "clu_a", name: "a", kind: "lab" as const },
  ports: [
    { port: 80, targetPort: 8080, protocol: "tcp" as const },
    { port: 53, protocol: "udp" as const },
  ],
};
const carried = (
  name: string,
  more: Partial<CarriedInstance> = {},
  addresses = ["10.0.0.1", "fd00::1"],
): CarriedInstance => ({
  balancer: { id: `lb_${name}`, address: "192.0.2.1" },
  instance: { name, ready: true, place: { pod: `${name}-x`, node: "n1", addresses } },
  isCarried: true,
  ...more,
});
const spelled = (...all: CarriedInstance[]) =>
  mapCarried(spec, all).map(
    (each) =>
      `${each.instance} ${each.protocol} ${each.internalAddress} ${each.internalPort} ${each.externalAddress} ${each.externalPort} ${each.ready}`,
  );

describe("the map of instances behind our own balancers", () => {
  it("has each port, the address of the same family, and the pod and node", () => {
    expect(spelled(carried("a"))).toEqual([
      "a tcp 10.0.0.1 8080 192.0.2.1 80 true",
      "a udp 10.0.0.1 53 192.0.2.1 53 true",
    ]);
    expect(mapCarried(spec, [carried("a")])[0]).toMatchObject({ loadBalancerId: "lb_a", pod: "a-x", node: "n1" });
    const six = { balancer: { id: "lb_a", address: "2001:db8::1" } };
    expect(spelled(carried("a", six))[0]).toBe("a tcp fd00::1 8080 2001:db8::1 80 true");
    expect(spelled(carried("a", six, ["10.0.0.1"]))).toEqual([]);
  });

  it.each<[string, Partial<CarriedInstance>]>([
    ["no replica carries it", { isCarried: false }],
    ["its instance is not ready", { instance: { ...carried("a").instance, ready: false } }],
    ["it has no address", { balancer: { id: "lb_a", address: null } }],
  ])("is not ready if %s", (_why, more) => {
    expect(mapCarried(spec, [carried("a", more)]).map((each) => each.ready)).toEqual([false, false]);
  });

  it("omits an instance that does not run, and has one entry for an end that two share", () => {
    expect(spelled(carried("a", { instance: { name: "a", ready: false } }))).toEqual([]);
    const shared = spelled(carried("a"), carried("b", { balancer: { id: "lb_b", address: "192.0.2.2" } }));
    expect(shared).toEqual(["b tcp 10.0.0.1 8080 192.0.2.2 80 true", "b udp 10.0.0.1 53 192.0.2.2 53 true"]);
  });
});
