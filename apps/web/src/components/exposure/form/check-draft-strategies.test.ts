import { sessionDefaults } from "@fairlead/domain/exposure";
import { expect, it } from "vitest";
import { type AdaptiveDraft, emptyAdaptive } from "./adaptive-draft.ts";
import { checkDraft } from "./check-draft.ts";
import type { ExposureDraft } from "./draft.ts";
import { emptySession, type SessionDraft } from "./session-draft.ts";
import { filled, poolId } from "./testing/filled-draft.ts";

it("includes a scheduler only for ipvs, and the PROXY protocol only for a proxy", () => {
  const both = { scheduler: "wlc", clientAddress: "proxy-protocol" } as const;
  const strategyOf = (change: Partial<ExposureDraft>) => checkDraft(filled({ ...both, ...change })).spec?.strategy;
  const plain = { type: "ecmp", replicas: 2, poolId };
  expect(strategyOf({})).toEqual(plain);
  expect(strategyOf({ engine: "ipvs", delivery: "nat" })).toEqual({
    ...plain,
    engine: "ipvs",
    delivery: "nat",
    scheduler: "wlc",
  });
  expect(strategyOf({ delivery: "proxy" })).toEqual({ ...plain, delivery: "proxy", proxyProtocol: true });
});

it("includes only the fields of the selected strategy", () => {
  expect(checkDraft(filled({ strategy: "cloud" })).spec?.strategy).toEqual({
    type: "cloud",
    provider: "aws",
    scheme: "public",
  });
  expect(checkDraft(filled({ strategy: "per-replica" })).spec?.strategy).toEqual({
    type: "per-replica",
    addressing: "dedicated",
  });
  expect(checkDraft(filled({ strategy: "adaptive" })).spec?.strategy).toEqual({
    type: "adaptive",
    poolId,
  });
});

it.each<[ExposureDraft["addressing"], object]>([
  ["dedicated", { dnsZone: "games.example.com", keepSeconds: 60, drainSeconds: 5 }],
  ["node-port", { dnsZone: "games.example.com", keepSeconds: 60, drainSeconds: 5 }],
  ["shared-port", {}],
  ["balancer", { keepSeconds: 60, replicas: 2, poolId }],
  ["shared-sni", { dnsZone: "games.example.com", replicas: 2, poolId }],
])("includes only the fields that the form shows for the addressing %s", (addressing, want) => {
  const left = { dnsZone: "games.example.com", keepSeconds: "60", drainSeconds: "5" };
  const { spec } = checkDraft(filled({ strategy: "per-replica", addressing, ...left }));
  expect(spec?.strategy).toEqual({ type: "per-replica", addressing, ...want });
});

it("isn't blocked by an invalid value of a field that the form hides", () => {
  const left = { dnsZone: "-", keepSeconds: "soon", drainSeconds: "x" };
  expect(checkDraft(filled({ strategy: "per-replica", addressing: "shared-port", ...left })).problems).toBeNull();
  expect(checkDraft(filled({ strategy: "per-replica", addressing: "dedicated", ...left })).problems).toMatchObject({
    "strategy.keepSeconds": "Enter seconds between 0 and 86400, or leave it empty for five minutes.",
  });
});

const checkSession = (change: Partial<SessionDraft>) => {
  const [port] = filled().ports;
  const ports = port ? [{ ...port, targetPort: "" }] : [];
  return checkDraft(filled({ strategy: "session", ports, session: { ...emptySession(), ...change } }));
};

it("reads the fields of the strategy session, and leaves out server names that the form hides", () => {
  const plain = { type: "session", replicas: 2, poolId, ...sessionDefaults };
  expect(checkSession({}).spec?.strategy).toEqual(plain);
  const serverNames = "shop.example.com,  api.example.com ";
  expect(checkSession({ serverNames, ids: "off", ticketHours: "48", delivery: "gue" }).spec?.strategy).toEqual({
    ...plain,
    ...{ ids: false, ticketHours: 48, delivery: "gue", serverNames: ["shop.example.com", "api.example.com"] },
  });
  const drains = { sessionDrainSeconds: "600", drainSeconds: " 30 " };
  expect(checkSession({ fallbacks: "plain", ...drains }).spec?.strategy).toEqual({
    ...plain,
    ...{ fallbacks: ["plain"], sessionDrainSeconds: 600, drainSeconds: 30 },
  });
  expect(checkSession({ names: "off", serverNames, ticketHours: "x" }).spec?.strategy).toEqual({
    ...plain,
    names: "off",
  });
});

const managed = { names: "managed", folder: " /etc/nginx/tickets/{instance} " } as const;

it("reads managed ticket keys, and leaves out the socket of other software", () => {
  const ticketKeys = { software: "nginx", folder: "/etc/nginx/tickets/{instance}", rotateHours: 24 };
  const socket = "/run/haproxy/admin.sock";
  expect(checkSession({ ...managed, socket }).spec?.strategy).toMatchObject({ names: "managed", ticketKeys });
  const other = checkSession({ ...managed, software: "haproxy", socket, rotateHours: "48" }).spec?.strategy;
  expect(other).toMatchObject({ ticketKeys: { ...ticketKeys, software: "haproxy", socket, rotateHours: 48 } });
  const ofPods = checkSession({ ...managed, folder: "/etc/tickets", secret: " shop-tickets " }).spec?.strategy;
  expect(ofPods).toMatchObject({ ticketKeys: { folder: "/etc/tickets", secret: "shop-tickets" } });
  expect(checkSession({ socket, rotateHours: "x" }).spec?.strategy).not.toHaveProperty("ticketKeys");
});

it.each<[string, Partial<SessionDraft>, string, RegExp]>([
  ["no number", { sessionDrainSeconds: "x" }, "sessionDrainSeconds", /between 0 and 86400, or leave it empty for none/],
  ["a long time", { drainSeconds: "86401" }, "drainSeconds", /between 0 and 86400, or leave it empty for a minute/],
  ["a name that is none", { serverNames: "shop.example.com, -x" }, "serverNames", /^Enter up to 8 names/],
  ["a name twice", { serverNames: "a.example.com a.example.com" }, "serverNames", /^List each name once\.$/],
  ["no lifetime", { ticketHours: "" }, "ticketHours", /^Enter hours between 1 and 168\.$/],
  ["no folder of keys", { names: "managed" }, "ticketKeys.folder", /^Enter an absolute path without/],
  ["one folder for all", { ...managed, folder: "/etc/keys" }, "ticketKeys.folder", /^Put \{instance\} into the path/],
  [
    "a relative socket",
    { ...managed, software: "haproxy", socket: "h.sock" },
    "ticketKeys.socket",
    /^Enter an absolute path without/,
  ],
  ["a folder for each pod", { ...managed, secret: "shop" }, "ticketKeys.folder", /^Leave \{instance\} out/],
  ["no name", { ...managed, folder: "/keys", secret: "Shop" }, "ticketKeys.secret", /^Enter the name of a Secret/],
  ["no interval", { ...managed, rotateHours: "" }, "ticketKeys.rotateHours", /^Enter hours between 1 and 720\.$/],
  ["a lifetime of months", { ticketHours: "999" }, "ticketHours", /^Enter hours between 1 and 168\.$/],
])("explains at the field of the strategy session: %s", (_, change, field, message) => {
  expect(checkSession(change).problems).toEqual({ [`strategy.${field}`]: expect.stringMatching(message) });
});

it("explains at the ports that the strategy session can change none", () => {
  expect(checkDraft(filled({ strategy: "session" })).problems).toEqual({
    "ports.0.targetPort": expect.stringContaining("leaves the port as it is"),
  });
});

it("reads the fields of the strategy adaptive", () => {
  const standby = [
    { key: "1", name: " tier ", value: "spare" },
    { key: "2", name: "", value: "" },
  ];
  const adaptive = { ...emptyAdaptive(), standby, removed: "end", drainSeconds: " 5 ", balancers: "none" } as const;
  const { spec } = checkDraft(filled({ strategy: "adaptive", adaptive: { ...adaptive, standby: [...standby] } }));
  expect(spec?.strategy).toEqual({
    ...{ type: "adaptive", poolId, standby: { tier: "spare" }, endsConnections: true, drainSeconds: 5 },
  });
});

it.each<[string, Partial<AdaptiveDraft>, string, RegExp]>([
  ["a long time", { drainSeconds: "86401" }, "drainSeconds", /between 0 and 86400, or leave it empty for a minute/],
  ["no number of balancers", { clients: "outside", balancers: "" }, "outside.replicas", /between 1 and 64/],
  ["a label without a name", { standby: [{ key: "1", name: "", value: "spare" }] }, "standby", /A label needs a name/],
  [
    "a label twice",
    { standby: ["1", "2"].map((key) => ({ key, name: "tier", value: key })) },
    "standby",
    /^Duplicate tier\. Keep one\.$/,
  ],
])("rejects %s of the strategy adaptive", (_, change, field, message) => {
  const draft = filled({ strategy: "adaptive", adaptive: { ...emptyAdaptive(), ...change } });
  expect(checkDraft(draft).problems?.[`strategy.${field}`]).toMatch(message);
});

it("rejects two ports with one target with the strategy adaptive", () => {
  const ports = [
    { key: "1", name: "", port: "80", targetPort: "8080", protocol: "tcp" as const },
    { key: "2", name: "", port: "81", targetPort: "8080", protocol: "tcp" as const },
  ];
  expect(checkDraft(filled({ strategy: "adaptive", ports })).problems).toEqual({
    "ports.1.targetPort": expect.stringMatching(/^An instance's port can be behind one port only/),
  });
});
