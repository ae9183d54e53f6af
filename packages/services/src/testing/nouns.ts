import { newId } from "@fairlead/domain";
import { listAuditEntries as listAuditEntriesInput } from "@fairlead/domain/access";
import {
  listAddressMappings as listAddressMappingsInput,
  listMappingChanges as listMappingChangesInput,
} from "@fairlead/domain/address-map";
import { listAddressPools as listAddressPoolsInput } from "@fairlead/domain/address-pool";
import { listBudgets as listBudgetsInput } from "@fairlead/domain/budget";
import {
  listClusters as listClustersInput,
  listEnrollmentTokens as listEnrollmentTokensInput,
} from "@fairlead/domain/cluster";
import { listEvents as listEventsInput } from "@fairlead/domain/event";
import { listExposures as listExposuresInput } from "@fairlead/domain/exposure";
import { listLoadBalancers as listLoadBalancersInput } from "@fairlead/domain/load-balancer";
import { listNodes as listNodesInput } from "@fairlead/domain/node";
import { listAddressMappings, listMappingChanges } from "../address-map/index.ts";
import {
  createAddressPool,
  deleteAddressPool,
  getAddressPool,
  listAddressPools,
  updateAddressPool,
} from "../address-pool/index.ts";
import { revokeAgent } from "../agent/index.ts";
import { listAuditEntries } from "../audit/index.ts";
import { ensureAuthority } from "../authority/index.ts";
import { createBudget, deleteBudget, getBudget, listBudgets, updateBudget } from "../budget/index.ts";
import { createCluster, deleteCluster, getCluster, listClusters, updateCluster } from "../cluster/index.ts";
import { createEnrollmentToken, deleteEnrollmentToken, listEnrollmentTokens } from "../enrollment-token/index.ts";
import { listEvents } from "../event/index.ts";
import {
  createExposure,
  deleteExposure,
  getExposure,
  listExposures,
  pauseExposure,
  resumeExposure,
  rotateTicketKeys,
  updateExposure,
} from "../exposure/index.ts";
import { getLoadBalancer, listLoadBalancers } from "../load-balancer/index.ts";
import { deleteNode, getNode, listNodes, updateNode } from "../node/index.ts";
import { accessNouns } from "./access-nouns.ts";
import { createTestCluster, createTestRotation, testSpec } from "./exposure.ts";
import { createTestNode } from "./node.ts";
import { list, type Noun } from "./noun.ts";
import { priceBookNouns } from "./price-book-nouns.ts";

export const nouns: Record<string, Noun> = {
  ...accessNouns,
  ...priceBookNouns,
  budget: {
    letter: "y",
    prepare: async (ctx) => async (n) => {
      const amount = { amountMicros: n * 1_000_000, currency: "USD", warnAtPercent: 80 };
      return (await createBudget(ctx, { name: `y${n}`, scope: { type: "organization" }, ...amount })).id;
    },
    list: list(listBudgetsInput, listBudgets),
    get: getBudget,
    change: {
      "budget.update": (ctx, id, expected) => updateBudget(ctx, id, { amountMicros: 7 }, expected),
      "budget.delete": deleteBudget,
    },
    changeNothing: (ctx, id) => updateBudget(ctx, id, { amountMicros: 1_000_000 }),
    isGuarded: true,
  },
  cluster: {
    letter: "c",
    prepare: async (ctx) => async (n) =>
      (await createCluster(ctx, { name: `c${n}`, kind: "lab", region: `r${n % 3}`, labels: {} })).id,
    list: list(listClustersInput, listClusters),
    get: getCluster,
    change: {
      "cluster.update": (ctx, id, expected) => updateCluster(ctx, id, { region: "elsewhere" }, expected),
      "cluster.delete": deleteCluster,
    },
    changeNothing: (ctx, id) => updateCluster(ctx, id, {}),
    isGuarded: true,
  },
  "address-pool": {
    letter: "p",
    async prepare(ctx) {
      const { cluster } = await createTestCluster(ctx);
      return async (n) =>
        (await createAddressPool(ctx, { clusterId: cluster.id, name: `p${n}`, prefix: `10.${n}.0.0/16`, note: "" })).id;
    },
    list: list(listAddressPoolsInput, listAddressPools),
    get: getAddressPool,
    change: {
      "address-pool.update": (ctx, id) => updateAddressPool(ctx, id, { note: "the uplink in Frankfurt" }),
      "address-pool.delete": deleteAddressPool,
    },
    changeNothing: (ctx, id) => updateAddressPool(ctx, id, { note: "" }),
  },
  exposure: {
    letter: "e",
    async prepare(ctx) {
      const { pool } = await createTestCluster(ctx);
      return async (n) => (await createExposure(ctx, testSpec(pool, { name: `e${n}` }))).id;
    },
    list: list(listExposuresInput, listExposures),
    get: getExposure,
    change: {
      "exposure.update": (ctx, id, expected) => updateExposure(ctx, id, { labels: { tier: "one" } }, expected),
      "exposure.pause": pauseExposure,
      "exposure.delete": deleteExposure,
    },
    changeNothing: (ctx, id) => updateExposure(ctx, id, {}),
    isGuarded: true,
  },
  "paused exposure": {
    letter: "e",
    async prepare(ctx) {
      const { pool } = await createTestCluster(ctx);
      return async (n) =>
        (await pauseExposure(ctx, (await createExposure(ctx, testSpec(pool, { name: `e${n}` }))).id)).id;
    },
    list: list(listExposuresInput, listExposures),
    get: getExposure,
    change: { "exposure.resume": resumeExposure },
    changeNothing: pauseExposure,
    isGuarded: true,
  },
  "exposure with managed ticket keys": {
    letter: "e",
    async prepare(ctx) {
      const { pool } = await createTestCluster(ctx);
      return async (n) => (await createTestRotation(ctx, pool, { name: `e${n}` })).id;
    },
    list: list(listExposuresInput, listExposures),
    get: getExposure,
    change: { "exposure.rotate-ticket-keys": rotateTicketKeys },
  },
  "load-balancer": {
    letter: "l",
    async prepare(ctx) {
      const { pool } = await createTestCluster(ctx);
      return async (n) => {
        const { id } = await createExposure(ctx, testSpec(pool, { name: `l${n}` }));
        return (await ctx.db.loadBalancer.findFirstOrThrow({ where: { exposureId: id } })).id;
      };
    },
    list: list(listLoadBalancersInput, listLoadBalancers),
    get: getLoadBalancer,
  },
  "address-mapping": {
    letter: "q",
    async prepare(ctx) {
      const { pool } = await createTestCluster(ctx);
      const { id: exposureId } = await createExposure(ctx, testSpec(pool));
      const balancer = await ctx.db.loadBalancer.findFirstOrThrow({ where: { exposureId } });
      return async (n) => {
        const id = newId("addressMapping", ctx.now);
        const at = new Date(Date.UTC(2026, 0, 1, 0, 0, n % 4));
        const internal = { internalAddress: `10.0.${n}.1`, internalPort: 80 };
        const external = { externalAddress: n % 2 === 0 ? "" : `198.51.100.${n}`, externalPort: 443 };
        await ctx.db.addressMapping.create({
          data: {
            ...{ id, organizationId: ctx.organizationId, exposureId, loadBalancerId: balancer.id },
            ...{ instance: `q${n}`, node: n % 3 === 0 ? null : "m", protocol: "tcp", ...internal, ...external },
            ...{ ready: true, since: at, observedAt: at },
          },
        });
        return id;
      };
    },
    list: list(listAddressMappingsInput, listAddressMappings),
  },
  "mapping-change": {
    letter: "q",
    async prepare(ctx) {
      const { pool } = await createTestCluster(ctx);
      const { id: exposureId } = await createExposure(ctx, testSpec(pool));
      return async (n) => {
        const id = newId("addressMappingChange", ctx.now);
        const at = new Date(Date.UTC(2026, 0, 1, 0, 0, n % 4));
        const change = { instance: `q${n}`, what: "ready", generation: n, at };
        await ctx.db.addressMappingChange.create({
          data: { id, organizationId: ctx.organizationId, exposureId, ...change },
        });
        return id;
      };
    },
    list: list(listMappingChangesInput, listMappingChanges),
  },
  node: {
    letter: "n",
    async prepare(ctx) {
      const { cluster } = await createTestCluster(ctx);
      return async (n) => {
        const lastReportAt = n % 2 === 0 ? new Date(Date.UTC(2026, 0, 1, n)) : null;
        return (await createTestNode(ctx, cluster.id, { name: `n${n}`, lastReportAt })).nodeId;
      };
    },
    list: list(listNodesInput, listNodes),
    get: getNode,
    change: {
      "node.update": (ctx, id, expected) => updateNode(ctx, id, { settings: { reportIntervalMs: 10_000 } }, expected),
      "agent.revoke": async (ctx, nodeId) => {
        const agent = await ctx.db.agent.findFirstOrThrow({ where: { nodeId } });
        return revokeAgent(ctx, agent.id);
      },
      "node.delete": deleteNode,
    },
    changeNothing: (ctx, id) => updateNode(ctx, id, {}),
    isGuarded: true,
  },
  "enrollment-token": {
    letter: "t",
    async prepare(ctx) {
      await ensureAuthority(ctx.db, ctx.settings.secret, ctx.now);
      const { cluster } = await createTestCluster(ctx);
      return async (n) =>
        (await createEnrollmentToken(ctx, { clusterId: cluster.id, nodeName: `t${n}`, expiresInMinutes: 60 + n })).id;
    },
    list: list(listEnrollmentTokensInput, listEnrollmentTokens),
    change: { "enrollment-token.delete": deleteEnrollmentToken },
  },
  event: {
    letter: "v",
    prepare: async (ctx) => async (n) => {
      const id = newId("event", ctx.now);
      await ctx.db.event.create({
        data: {
          id,
          organizationId: ctx.organizationId,
          at: new Date(Date.UTC(2026, 0, 1, 0, 0, n % 4)),
          severity: "info",
          reason: "Tested",
          message: `message v${n}`,
          subjectKind: "cluster",
          subjectId: "clu_1",
          subjectName: "c",
        },
      });
      return id;
    },
    list: list(listEventsInput, listEvents),
  },
  "audit-entry": {
    letter: "a",
    prepare: async (ctx) => async (n) => {
      const id = newId("auditEntry", ctx.now);
      await ctx.db.auditEntry.create({
        data: {
          id,
          organizationId: ctx.organizationId,
          at: new Date(Date.UTC(2026, 0, 1, 0, 0, n % 4)),
          actorKind: "user",
          actorId: "u",
          actorName: "Test",
          action: "cluster.update",
          subjectKind: "cluster",
          subjectId: "clu_1",
          subjectName: `a${n}`,
        },
      });
      return id;
    },
    list: list(listAuditEntriesInput, listAuditEntries),
  },
};
