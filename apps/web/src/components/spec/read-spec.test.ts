import { newId } from "@fairlead/domain";
import { describe, expect, it } from "vitest";
import { readClusterSpec } from "./cluster-spec.ts";
import { readExposureSpec } from "./exposure-spec.ts";
import { readPoolSpec } from "./pool-spec.ts";

describe("the spec in an audit entry", () => {
  it("of an exposure has no empty selector, which earlier versions accepted", () => {
    const workload = { namespace: "default", kind: "deployment", name: "web" };
    expect(readExposureSpec({ workload: { ...workload, selector: {} } })).toEqual({ workload });
  });

  it.each<[object, string[]]>([
    [{}, ["plain"]],
    [{ fallbacks: ["proxy", "plain"] }, ["proxy", "plain"]],
  ])("of an exposure by session has the fallbacks with which it was stored: %j", (stored, fallbacks) => {
    const strategy = { type: "session", replicas: 2, poolId: newId("addressPool"), ...stored };
    expect(readExposureSpec({ strategy })?.strategy).toMatchObject({ ...strategy, names: "learned", fallbacks });
  });

  it("of a pool is its note", () => {
    expect(readPoolSpec({ name: "front", prefix: "192.0.2.0/24", note: "uplink A" })).toEqual({ note: "uplink A" });
  });

  it.each([null, "fra-01", { name: "Not A Name" }])("is missing if it can't be read: %j", (stored) => {
    expect(readClusterSpec(stored)).toBeNull();
  });
});
