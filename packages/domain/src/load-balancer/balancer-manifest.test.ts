import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { createBalancerManifest, writeBalancerManifest } from "./balancer-manifest.ts";

const parsed = (change: object = {}) =>
  createBalancerManifest.parse({ id: "clu_01kav3x0zq8w4m2n6r5t7y9b1c", image: "example.com/agent:1", ...change });
const written = (change: object = {}) =>
  writeBalancerManifest({
    ...parsed(change),
    ...{ controlPlane: "https://fairlead.example:7443", token: "fl1_secret", drainSeconds: 60 },
  });
type Container = {
  name: string;
  args: string[];
  securityContext: { capabilities: { add: string[]; drop: string[] }; appArmorProfile?: { type: string } };
};
type PodSpec = {
  hostNetwork: boolean;
  containers: Container[];
  nodeSelector?: object;
  terminationGracePeriodSeconds: number;
};
function podSpec(change: object = {}): PodSpec {
  const [, , set] = parseAllDocuments(written(change)).map((each) => each.toJS());
  return set.spec.template.spec as PodSpec;
}

describe("the manifest of balancer pods", () => {
  it("has all objects in the order of kubectl apply", () => {
    expect(parseAllDocuments(written()).map((each) => each.toJS())).toMatchSnapshot();
  });

  it("uses neither the node's network nor eBPF by default", () => {
    const { hostNetwork, containers } = podSpec();
    expect(hostNetwork).toBe(false);
    for (const { securityContext } of containers)
      expect(securityContext.capabilities).toEqual({
        ...{ drop: ["ALL"], add: ["NET_ADMIN", "NET_RAW", "NET_BIND_SERVICE"] },
      });
    expect(written()).not.toMatch(/privileged: true|hostPID|hostIPC|\/sys\/fs\/bpf/);
    expect(podSpec({ network: "node" }).hostNetwork).toBe(true);
    expect(podSpec({ rights: "ebpf" }).containers[0]?.securityContext.capabilities.add).toContain("BPF");
    expect(written({ rights: "ebpf" })).toContain("/sys/fs/bpf");
  });

  it("lets both containers pin eBPF programs where AppArmor is on, and leaves its default otherwise", () => {
    const profiles = (change: object) =>
      podSpec(change).containers.map(({ securityContext }) => securityContext.appArmorProfile?.type);
    expect(profiles({ rights: "ebpf" })).toEqual(["Unconfined", "Unconfined"]);
    expect(profiles({})).toEqual([undefined, undefined]);
  });

  it("has no token among the arguments, which every user of the host can read", () => {
    for (const { args } of podSpec().containers) expect(args.join(" ")).not.toContain("fl1_secret");
  });

  it("gives pods the time to drain before they are killed", () => {
    expect(podSpec().terminationGracePeriodSeconds).toBe(75);
  });

  it("selects nodes by any labels", () => {
    const nodeSelector = { "node-role.kubernetes.io/edge": "", "a: b": 'x"\ny: z'.replace("\n", " ") };
    expect(podSpec({ nodeSelector }).nodeSelector).toEqual(nodeSelector);
  });

  it.each(["agent", "example.com:5000/fairlead/agent:v1.2.0-RC1", `example.com/agent@sha256:${"a".repeat(64)}`])(
    "accepts the image %s",
    (image) => {
      expect(parsed({ image }).image).toBe(image);
    },
  );

  it.each(["a b", "UPPER", "x\ny", "image: y", ""])("rejects the image %j", (image) => {
    expect(() => parsed({ image })).toThrow();
  });
});
