import { describe, expect, it } from "vitest";
import { type CloudReplica, type CloudSpec, placeCloudAddresses } from "./place-cloud-addresses.ts";

const replica = (agentId: string, fields: Partial<CloudReplica> = {}): CloudReplica => ({
  agentId,
  nodeName: `node-${agentId}`,
  address: `10.0.0.${agentId.charCodeAt(0)}`,
  isReady: true,
  message: "",
  isDraining: false,
  silentForMs: 1_000,
  reportIntervalMs: 5_000,
  ...fields,
});
const [a, b, c] = [replica("a"), replica("b"), replica("c")];
const silent = (each: CloudReplica) => ({ ...each, silentForMs: 15_001 });
const spec = (agentId: string | null, ...replicas: CloudReplica[]): CloudSpec => ({
  address: "192.0.2.1",
  agentId,
  replicas,
});

describe("a service address in a cloud", () => {
  it.each<[string, CloudSpec, string | null, string]>([
    ["is placed on a healthy replica", spec(null, b, a), "a", ""],
    ["stays in place, though another replica is equally good", spec("b", a, b), "b", ""],
    ["stays on a replica that missed a report", spec("b", a, { ...b, silentForMs: 14_999 }), "b", ""],
    ["leaves a silent replica", spec("a", silent(a), b), "b", "node-a has not reported for 15 s"],
    [
      "leaves sooner if the report interval is shorter",
      spec("a", { ...a, silentForMs: 3_001, reportIntervalMs: 1_000 }, b),
      "b",
      "node-a has not reported for 3 s",
    ],
    ["leaves a draining node", spec("a", { ...a, isDraining: true }, b), "b", "node-a drains"],
    [
      "leaves a replica that doesn't serve it",
      spec("a", { ...a, isReady: false, message: "It has no backends." }, b),
      "b",
      "node-a doesn't serve it (It has no backends)",
    ],
    ["leaves a replica that is removed or revoked", spec("z", b), "b", "the previous replica is gone"],
    ["is not placed on a replica without a known address", spec(null, { ...a, address: "" }, b), "b", ""],
    ["is not placed on a replica that never reported", spec(null, { ...a, silentForMs: null }, b), "b", ""],
  ])("%s", (_, wanted, to, reason) => {
    const [place] = placeCloudAddresses([wanted]);
    expect(place).toMatchObject({ isServed: true, reason });
    expect(place?.to?.agentId ?? null).toBe(to);
  });

  it("stays in place when no replica is healthy, because only our connection to them may be lost", () => {
    expect(placeCloudAddresses([spec("a", silent(a), { ...b, isDraining: true })])).toEqual([
      {
        address: "192.0.2.1",
        to: silent(a),
        isServed: false,
        reason: "no replica is fit for it: node-a has not reported for 15 s; node-b drains",
      },
    ]);
    expect(placeCloudAddresses([spec(null)])[0]).toMatchObject({ to: null, isServed: false });
  });

  it("goes to the replica with the fewest, so that the addresses of a lost replica spread over the rest", () => {
    const held = [
      spec("b", a, b, c),
      spec("a", silent(a), b, c),
      spec("a", silent(a), b, c),
      spec("a", silent(a), b, c),
    ];
    expect(placeCloudAddresses(held).map((each) => each.to?.agentId)).toEqual(["b", "c", "b", "c"]);
  });
});
