import { getLoadBalancer } from "@fairlead/services";
import { expect, it, vi } from "vitest";
import { type BalancerFixture, onBalancerStage, patience } from "../testing/balancer-stage.ts";
import { pod, podAddress } from "../testing/test-balancer.ts";

let fixture: BalancerFixture;
onBalancerStage((_, entered) => {
  fixture = entered;
});

it("shows which backend and which service a replica could not set, and why, until they are set", async () => {
  const { id } = await fixture.serve(2, [pod(1), pod(2)]);
  const [first] = fixture.balancers;
  const reason = "has no route: network is unreachable";
  first?.down.set(podAddress(2), reason);
  await first?.say();
  const parts = async () => {
    const { backends, conditions } = await fixture.exposure(id);
    const loadBalancer = await getLoadBalancer(fixture.now(), first?.services()[0]?.loadBalancerId ?? "");
    return { backends, conditions, ofLoadBalancer: loadBalancer.backends };
  };
  const down = { instance: "web-2", health: "down", message: reason };
  await vi.waitFor(
    async () =>
      expect(await parts()).toMatchObject({
        backends: [{ instance: "web-1", health: "up", message: "" }, down],
        conditions: [
          { type: "BackendsUp", status: "false", message: `1 of 2 backends is down, such as web-2: ${reason}.` },
          { type: "Carried", status: "true" },
          { type: "Placed" },
          { type: "Ready", status: "false", reason: "PartlyServing" },
        ],
        ofLoadBalancer: [{ instance: "web-1" }, down],
      }),
    patience,
  );
  first?.down.clear();
  const asBefore = "It is carried as before, because its new spec could not be set: the port is in use.";
  first?.asBefore.set(80, asBefore);
  await first?.say();
  await vi.waitFor(
    async () =>
      expect(await fixture.exposure(id)).toMatchObject({
        phase: "degraded",
        conditions: [
          { type: "BackendsUp" },
          {
            type: "Carried",
            status: "false",
            reason: "NotCarried",
            message: `2 of 2 replicas carry it. n1: ${asBefore}`,
          },
          { type: "Placed" },
          { type: "Ready", status: "false" },
        ],
        replicas: [
          { nodeName: "n1", ready: true, message: asBefore },
          { nodeName: "n2", ready: true, message: "" },
        ],
      }),
    patience,
  );
  first?.asBefore.clear();
  await first?.say();
  await vi.waitFor(async () => expect((await fixture.exposure(id)).phase).toBe("serving"), patience);
});
