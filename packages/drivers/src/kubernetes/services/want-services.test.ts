import { describe, expect, it } from "vitest";
import { balancerOf, exposureIn } from "../testing/stage.ts";
import { isInAws, keepCreatedKind, wantService } from "./want-services.ts";

const kind = "service.beta.kubernetes.io/aws-load-balancer-type";
const scheme = "service.beta.kubernetes.io/aws-load-balancer-scheme";
type Strategy = ReturnType<typeof exposureIn>["strategy"];
const want = (strategy: Strategy, inAws = true) =>
  wantService({ ...exposureIn("default"), strategy }, balancerOf("redis-0"), null, {
    ...{ instance: undefined, instances: [], isInAws: inAws },
  });
const annotationsOf = (...given: Parameters<typeof want>) => want(...given).metadata.annotations;

describe("a Service in AWS", () => {
  it.each(["dedicated", "shared-port"] as const)("is a Network Load Balancer with the addressing %s", (addressing) => {
    const strategy: Strategy = { type: "per-replica", addressing };
    expect(annotationsOf(strategy)).toEqual({ [kind]: "nlb" });
    expect(annotationsOf(strategy, false)).toEqual({});
  });

  it("is none with node ports", () => {
    expect(annotationsOf({ type: "per-replica", addressing: "node-port" })).toEqual({});
  });

  it("has annotations for DNS too", () => {
    const strategy: Strategy = { type: "per-replica", addressing: "dedicated", dnsZone: "example.com" };
    expect(Object.keys(annotationsOf(strategy))).toHaveLength(3);
  });

  it("is public or internal by the annotations of both controllers", () => {
    expect(annotationsOf({ type: "cloud", provider: "aws", scheme: "internal" }, false)).toEqual({
      [kind]: "nlb",
      [scheme]: "internal",
      "service.beta.kubernetes.io/aws-load-balancer-internal": "true",
    });
    expect(annotationsOf({ type: "cloud", provider: "aws", scheme: "public" })).toEqual({
      ...{ [kind]: "nlb", [scheme]: "internet-facing" },
    });
    expect(annotationsOf({ type: "cloud", provider: "gcp", scheme: "public" }, false)).toEqual({});
  });

  it.each([[undefined], ["external"], ["nlb"]])("keeps the kind with which it was created: %s", (was) => {
    const wanted = want({ type: "per-replica", addressing: "dedicated" });
    const annotations: Record<string, string> = was === undefined ? {} : { [kind]: was };
    keepCreatedKind(wanted, { annotations });
    expect(wanted.metadata.annotations).toEqual(annotations);
  });

  it.each([
    ["public", undefined, undefined],
    ["public", "internal", "internet-facing"],
    ["internal", undefined, "internal"],
  ] as const)("that should be %s and was created as %s is then %s", (to, was, is) => {
    const wanted = want({ type: "cloud", provider: "aws", scheme: to });
    keepCreatedKind(wanted, { annotations: was === undefined ? {} : { [scheme]: was } });
    expect(wanted.metadata.annotations[scheme]).toBe(is);
  });
});

it("detects AWS from the provider IDs of nodes", () => {
  const nodes = (...ids: string[]) => ids.map((providerId) => ({ providerId }));
  expect(isInAws(nodes("", "aws:///eu-central-1a/i-0abc"))).toBe(true);
  expect(isInAws(nodes("", "gce://project/zone/aws:1", "kind://docker/a/b"))).toBe(false);
});
