import type { CreateExposure } from "@fairlead/domain";
import { describe, expect, it } from "vitest";
import { asSentence, checkDraft } from "./check-draft.ts";
import { draftOf, type ExposureDraft, emptyDraft, emptyPort } from "./draft.ts";
import { stillNeeded } from "./still-needed.ts";
import { readStoredDraft, storeDraft } from "./stored-draft.ts";

const clusterId = "clu_01kav3x0zq8w4m2n6r5t7y9b1c";
const poolId = "pool_01kav3x0zq8w4m2n6r5t7y9b1c";

function filled(change: Partial<ExposureDraft> = {}): ExposureDraft {
  const ports = [{ ...emptyPort([]), port: "443", targetPort: "8443" }];
  return { ...emptyDraft(clusterId), name: "shop", workloadName: "shop-web", ports, poolId, ...change };
}

describe("checkDraft", () => {
  it("reads a filled form as the wish", () => {
    expect(checkDraft(filled()).wish).toEqual({
      clusterId,
      name: "shop",
      workload: { namespace: "default", kind: "deployment", name: "shop-web" },
      ports: [{ port: 443, targetPort: 8443, protocol: "tcp" }],
      strategy: { type: "ecmp", replicas: 2, poolId },
      labels: {},
    });
  });

  it("takes only the fields of the strategy chosen", () => {
    expect(checkDraft(filled({ strategy: "cloud" })).wish?.strategy).toEqual({
      type: "cloud",
      provider: "aws",
      scheme: "public",
    });
    expect(checkDraft(filled({ strategy: "per-replica" })).wish?.strategy).toEqual({
      type: "per-replica",
      addressing: "dedicated",
    });
    expect(checkDraft(filled({ strategy: "adaptive" })).wish?.strategy).toMatchObject({ thresholdPercent: 90 });
  });

  it("names every empty field of a new form in words", () => {
    expect(checkDraft(emptyDraft()).problems).toEqual({
      clusterId: "Choose the cluster that runs the workload.",
      name: "Give it a name.",
      "workload.name": "Name the deployment to expose.",
      "ports.0.port": "Give a port between 1 and 65535.",
      "strategy.poolId": "Choose the pool that its address comes from.",
    });
  });

  it.each<[string, Partial<ExposureDraft>, string, string]>([
    ["a capital in the name", { name: "Shop" }, "name", "Use lower-case letters, digits and dashes, not at the ends."],
    ["no port", { ports: [] }, "ports", "Expose at least one port."],
    [
      "a port in hex",
      { ports: [{ ...emptyPort([]), port: "0x50" }] },
      "ports.0.port",
      "Give a port between 1 and 65535.",
    ],
    [
      "a port twice",
      { ports: [filled().ports[0] ?? emptyPort([]), { ...emptyPort([]), key: "2", port: "443" }] },
      "ports.1.port",
      "tcp/443 is listed twice.",
    ],
    ["too many replicas", { replicas: "65" }, "strategy.replicas", "Give a number of replicas between 1 and 64."],
    ["an empty selector", { workloadKind: "selector" }, "workload.selector", "A selector needs at least one label."],
    [
      "a label twice",
      {
        labels: [
          { key: "1", name: "team", value: "a" },
          { key: "2", name: "team", value: "b" },
        ],
      },
      "labels",
      "team is there twice; keep one.",
    ],
  ])("refuses %s at its field", (_what, change, path, message) => {
    expect(checkDraft(filled(change)).problems).toMatchObject({ [path]: message });
  });

  it("forgets label rows that were left empty", () => {
    const labels = [{ key: "1", name: "", value: "" }];
    expect(checkDraft(filled({ labels })).wish?.labels).toEqual({});
  });
});

it("gives back every kind of wish that it was filled with", () => {
  const base = { clusterId, name: "shop", labels: { team: "web" }, ports: [{ port: 53, protocol: "udp" as const }] };
  const workload = { namespace: "shop", kind: "stateful-set" as const, name: "db" };
  const wishes: CreateExposure[] = [
    { ...base, workload, strategy: { type: "per-replica", addressing: "shared-sni" } },
    { ...base, workload, strategy: { type: "session", replicas: 3, poolId } },
    { ...base, workload, strategy: { type: "adaptive", replicas: 3, poolId, thresholdPercent: 80 } },
    {
      ...base,
      workload: { namespace: "shop", kind: "selector", selector: { app: "db", tier: "data" } },
      strategy: { type: "cloud", provider: "gcp", scheme: "internal" },
    },
  ];
  for (const wish of wishes) expect(checkDraft(draftOf(wish)).wish).toEqual(wish);
});

it("leaves a sentence of the server as it is", () => {
  expect(asSentence("local already has an exposure named web.")).toBe("local already has an exposure named web.");
  expect(asSentence("give it a name")).toBe("Give it a name.");
});

it("says what a preview waits for", () => {
  expect(stillNeeded(checkDraft(emptyDraft()).problems ?? {})).toBe(
    "Still needed: a cluster, a name, the workload's name, a valid port and an address pool.",
  );
  expect(stillNeeded({ name: "" })).toBe("Still needed: a name.");
});

it("keeps a draft over a reload, and forgets one of another shape", () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  storeDraft(storage, filled());
  expect(readStoredDraft(storage)).toEqual(filled());
  for (const key of kept.keys()) kept.set(key, '{"name":7}');
  expect(readStoredDraft(storage)).toBeNull();
  storeDraft(storage, null);
  expect(readStoredDraft(storage)).toBeNull();
});
