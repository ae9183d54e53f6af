import { createExposure } from "@fairlead/services";
import { expect, it, vi } from "vitest";
import { type BalancerFixture, onBalancerStage, patience, withReplicas } from "../testing/balancer-stage.ts";
import { pod } from "../testing/test-balancer.ts";

let fixture: BalancerFixture;
onBalancerStage((_, entered) => {
  fixture = entered;
});

it("a replica of two load balancers gets the peers of each", async () => {
  await fixture.join(3);
  await fixture.runs([pod(1)]);
  for (const name of ["web", "web-two"]) {
    const { id } = await createExposure(fixture.now(), { ...withReplicas(fixture.spec, 2), name });
    await vi.waitFor(async () => expect((await fixture.exposure(id)).phase).toBe("serving"), patience);
  }
  const ofTwo = fixture.balancers.find((each) => each.services().length === 2);
  if (!ofTwo) throw new Error("four replicas on three nodes: one of them carries two");
  const carriersOf = (loadBalancerId: string) =>
    fixture.balancers
      .filter((each) => each !== ofTwo && each.services().some((service) => service.loadBalancerId === loadBalancerId))
      .map((each) => each.agentId);
  await vi.waitFor(() => {
    expect(ofTwo.configs.at(-1)?.balancer?.peers).toHaveLength(2);
    for (const { loadBalancerId, peers } of ofTwo.services()) {
      expect(carriersOf(loadBalancerId)).toHaveLength(1);
      expect(peers?.agentIds).toEqual(carriersOf(loadBalancerId));
    }
  }, patience);
  for (const each of fixture.balancers) {
    if (each === ofTwo) continue;
    const { peers = [], services = [] } = each.configs.at(-1)?.balancer ?? {};
    expect(peers.map((peer) => peer.agentId)).toEqual([ofTwo.agentId]);
    expect(services.map((service) => service.peers)).toEqual([undefined]); // all
  }
});
