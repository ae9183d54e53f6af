import { expect, it } from "vitest";
import { asSentence, checkDraft } from "./check-draft.ts";
import { type ExposureDraft, emptyDraft, emptyPort } from "./draft.ts";
import { emptyHealthCheck } from "./health-check-draft.ts";
import { stillNeeded } from "./still-needed.ts";
import { clusterId, filled, poolId } from "./testing/filled-draft.ts";

it("converts a complete form to a spec", () => {
  expect(checkDraft(filled()).spec).toEqual({
    clusterId,
    name: "shop",
    workload: { namespace: "default", kind: "deployment", name: "shop-web" },
    ports: [{ port: 443, targetPort: 8443, protocol: "tcp" }],
    strategy: { type: "ecmp", replicas: 2, poolId },
    healthCheck: null,
    labels: {},
  });
});

it("reads the advanced fields, and only the health check fields of the selected kind", () => {
  const healthCheck = {
    ...emptyHealthCheck(),
    kind: "http" as const,
    path: "/healthz",
    statuses: "200, 204",
    send: "x",
  };
  const { spec } = checkDraft(filled({ engine: "tcx", delivery: "nat", healthCheck }));
  expect(spec?.strategy).toMatchObject({ engine: "tcx", delivery: "nat" });
  const timing = { intervalMs: 1_000, timeoutMs: 1_000, rise: 2, fall: 3 };
  expect(spec?.healthCheck).toEqual({ type: "http", path: "/healthz", statuses: [200, 204], ...timing });
  expect(checkDraft(filled({ strategy: "cloud", healthCheck })).spec).not.toHaveProperty("healthCheck");
});

it("has a message for every required field of a new form", () => {
  expect(checkDraft(emptyDraft()).problems).toEqual({
    clusterId: "Choose the cluster that runs the workload.",
    name: "Enter a name.",
    "workload.name": "Enter the name of the deployment to expose.",
    "ports.0.port": "Enter a port between 1 and 65535.",
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
    "Enter a port between 1 and 65535.",
  ],
  [
    "a port twice",
    { ports: [filled().ports[0] ?? emptyPort([]), { ...emptyPort([]), key: "2", port: "443" }] },
    "ports.1.port",
    "tcp/443 is listed twice.",
  ],
  ["too many replicas", { replicas: "65" }, "strategy.replicas", "Enter a number of replicas between 1 and 64."],
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
    "Duplicate team. Keep one.",
  ],
  [
    "an interval that is not a number",
    { healthCheck: { ...emptyHealthCheck(), kind: "tcp", intervalMs: "1s" } },
    "healthCheck.intervalMs",
    "Enter milliseconds between 100 and 300000.",
  ],
  [
    "an invalid status",
    { healthCheck: { ...emptyHealthCheck(), kind: "https", statuses: "200, 20x" } },
    "healthCheck.statuses",
    "Enter up to 32 statuses between 100 and 599, comma-separated.",
  ],
  [
    "a path without a slash",
    { healthCheck: { ...emptyHealthCheck(), kind: "http", path: "healthz" } },
    "healthCheck.path",
    "A path begins with a slash, has no blanks, and writes % as %25.",
  ],
  [
    "a UDP check without data to send",
    { healthCheck: { ...emptyHealthCheck(), kind: "udp" } },
    "healthCheck.send",
    "Enter what to send.",
  ],
  [
    "balancers per instance without a pool",
    { strategy: "per-replica", addressing: "balancer", poolId: "", name: "" },
    "strategy.poolId",
    "The addressing balancer takes an address for each instance from a pool: choose one of the cluster's.",
  ],
  [
    "a delivery that the engine doesn't support, while the name is still missing",
    { name: "", engine: "userspace", delivery: "direct" },
    "strategy.delivery",
    "Userspace can't deliver by direct, only by proxy: choose one of these, or leave out the delivery.",
  ],
])("rejects %s at its field", (_what, change, path, message) => {
  expect(checkDraft(filled(change)).problems).toMatchObject({ [path]: message });
});

it("ignores empty label rows", () => {
  const labels = [{ key: "1", name: "", value: "" }];
  expect(checkDraft(filled({ labels })).spec?.labels).toEqual({});
});

it("keeps a sentence of the server unchanged", () => {
  expect(asSentence("local already has an exposure named web.")).toBe("local already has an exposure named web.");
  expect(asSentence("enter a name")).toBe("Enter a name.");
});

it("names what is missing for a preview", () => {
  expect(stillNeeded(checkDraft(emptyDraft()).problems ?? {})).toBe(
    "Missing: a cluster, a name, the workload's name, a valid port and an address pool.",
  );
  expect(stillNeeded({ name: "" })).toBe("Missing: a name.");
});
