import { newId } from "@fairlead/domain";
import type { ObservedLoadBalancer } from "@fairlead/domain/exposure";
import { expect, it } from "vitest";
import { withProblems } from "./with-problems.ts";

const there = (phase: ObservedLoadBalancer["phase"]): ObservedLoadBalancer => ({
  id: newId("loadBalancer"),
  phase,
  message: "",
  address: null,
  replicas: [],
  backends: [],
  mappings: [],
});

it("leaves healthy balancers as they are", () => {
  const outside = { loadBalancers: [there("serving")], instances: [] };
  expect(withProblems(outside, [])).toBe(outside);
});

it("reports why a balancer can't be updated, and that one that served still does", () => {
  const [serving, pending, missing] = [there("serving"), there("pending"), newId("loadBalancer")];
  const of = (loadBalancerId: string) => ({ loadBalancerId, message: "the cluster rejected it" });
  const { loadBalancers } = withProblems({ loadBalancers: [serving, pending], instances: [] }, [
    of(serving.id),
    of(pending.id),
    of(missing),
  ]);
  expect(loadBalancers.map(({ id, phase, message }) => ({ id, phase, message }))).toEqual([
    { id: serving.id, phase: "degraded", message: "The cluster rejected it." },
    { id: pending.id, phase: "failed", message: "The cluster rejected it." },
    { id: missing, phase: "failed", message: "The cluster rejected it." },
  ]);
});
