import type { AttentionKind, FoundProblem } from "@fairlead/domain/attention";
import { priceFeeds } from "@fairlead/domain/cost";
import type { ServiceContext } from "../context.ts";
import { bookOwner } from "../cost/open-context.ts";
import { explainDown } from "../routing/explain-down.sql.ts";
import {
  describeApiKey,
  describeBudget,
  describeCertificate,
  describeCloudAddress,
  describeKubeconfig,
  describeNode,
  describeOutdatedKeys,
  describePaused,
  describePool,
  describePrices,
  describeSession,
  describeStuckDeletion,
  describeToken,
  withStop,
} from "./describe.ts";
import { findBgpSessions } from "./find-bgp-sessions.sql.ts";
import { findBudgets } from "./find-budgets.sql.ts";
import { findCloudAddresses } from "./find-cloud-addresses.sql.ts";
import { findClusters } from "./find-clusters.sql.ts";
import { findStuckDeletions } from "./find-deletions.sql.ts";
import { findApiKeys, findCertificates, findKubeconfigs, findTokens } from "./find-expiring.sql.ts";
import { findExposures } from "./find-exposures.sql.ts";
import { findNodes } from "./find-nodes.sql.ts";
import { findPausedExposures } from "./find-paused.sql.ts";
import { findPools } from "./find-pools.sql.ts";
import { findPrices } from "./find-prices.sql.ts";
import { findOutdatedTicketKeys } from "./find-ticket-keys.sql.ts";
import type { Scope } from "./rank-found.sql.ts";

export type CountedProblem = FoundProblem & { total: number };

/** A finder is one query for the kinds of one noun, and the sentence of each row. */
export type Finder = {
  kinds: readonly AttentionKind[];
  find: (ctx: ServiceContext, scope: Scope) => Promise<CountedProblem[]>;
};

const notApplied = "Not applied yet: no controller has reconciled it. Check that one runs.";

/** Each kind is found by one of these. */
export const finders: readonly Finder[] = [
  {
    kinds: [
      "exposure-failed",
      "exposure-refused",
      "exposure-no-driver",
      "exposure-not-attached",
      "exposure-no-address",
      "exposure-no-agents",
      "exposure-instances-unknown",
      "exposure-no-backends",
      "exposure-backends-down",
      "exposure-agents-silent",
      "exposure-replicas-failed",
      "exposure-pending",
      "exposure-too-many-instances",
      "exposure-partly-placed",
      "exposure-replica-silent",
      "exposure-replica-failed",
      "exposure-some-backends-down",
      "exposure-not-by-session",
      "exposure-not-by-cost",
      "exposure-degraded",
    ],
    async find({ db }, scope) {
      const rows = await findExposures(db, scope);
      return rows.map((row) => ({ ...row, ...named(row.id, row.name), message: row.message || notApplied }));
    },
  },
  {
    kinds: ["exposure-ticket-keys-outdated"],
    async find({ db }, scope) {
      const rows = await findOutdatedTicketKeys(db, scope);
      return rows.map((row) => ({ ...row, ...named(row.id, row.name), message: describeOutdatedKeys(row) }));
    },
  },
  {
    kinds: ["exposure-paused"],
    async find({ db }, scope) {
      const rows = await findPausedExposures(db, scope);
      return rows.map((row) => ({ ...row, ...named(row.id, row.name), message: describePaused(row) }));
    },
  },
  {
    kinds: ["exposure-not-deleted"],
    async find({ db }, scope) {
      const rows = await findStuckDeletions(db, scope);
      return rows.map((row) => ({ ...row, ...named(row.id, row.name), message: describeStuckDeletion(row) }));
    },
  },
  {
    kinds: ["node-silent", "config-refused", "node-out-of-sync", "node-never-reported"],
    async find({ db }, scope) {
      const rows = await findNodes(db, scope);
      return rows.map((row) => ({ ...row, ...named(row.id, row.name), message: describeNode(row) }));
    },
  },
  {
    kinds: ["bgp-session-down"],
    async find(ctx, scope) {
      const rows = await explainDown(ctx, await findBgpSessions(ctx.db, scope));
      return rows.map((row) => ({ ...row, ...named(row.nodeId, row.nodeName), message: describeSession(row) }));
    },
  },
  {
    kinds: ["cluster-unreachable", "cluster-refused", "cluster-degraded", "cloud-metrics-missing"],
    async find({ db }, scope) {
      const rows = await findClusters(db, scope);
      return rows.map((row) => ({ ...row, ...inItself(row.id, row.name), message: withStop(row.message) }));
    },
  },
  {
    kinds: ["cloud-address-refused", "cloud-address-unserved"],
    async find({ db }, scope) {
      const rows = await findCloudAddresses(db, scope);
      return rows.map((row) => ({
        ...row,
        ...inItself(row.clusterId, row.clusterName),
        message: describeCloudAddress(row),
      }));
    },
  },
  {
    kinds: ["pool-full", "pool-nearly-full"],
    async find({ db }, scope) {
      const rows = await findPools(db, scope);
      return rows.map((row) => ({ ...row, ...named(row.id, row.name), message: describePool(row) }));
    },
  },
  {
    kinds: ["certificate-expired", "certificate-expiring"],
    async find({ db }, scope) {
      const rows = await findCertificates(db, scope);
      return rows.map((row) => ({ ...row, ...named(row.subjectId, row.name), message: describeCertificate(row) }));
    },
  },
  {
    kinds: ["kubeconfig-expiring"],
    async find({ db }, scope) {
      const rows = await findKubeconfigs(db, scope);
      return rows.map((row) => ({ ...row, ...named(row.subjectId, row.name), message: describeKubeconfig(row) }));
    },
  },
  {
    kinds: ["token-expiring"],
    async find({ db }, scope) {
      const rows = await findTokens(db, scope);
      return rows.map((row) => ({ ...row, ...named(row.subjectId, row.name), message: describeToken(row) }));
    },
  },
  {
    kinds: ["api-key-expiring"],
    async find({ db }, scope) {
      if (scope.clusterId !== undefined) return [];
      const rows = await findApiKeys(db, scope);
      return rows.map((row) => ({ ...row, ...named(row.id, row.name), message: describeApiKey(row) }));
    },
  },
  {
    kinds: ["budget-over", "budget-forecast-over", "budget-warned", "budget-unknown"],
    async find(ctx, scope) {
      // What is spent depends on the price book, which could be calculated from it.
      if (bookOwner({ caller: ctx }) === null) return [];
      const rows = await findBudgets(ctx.db, scope);
      return rows.map((row) => ({ ...row, ...named(row.id, row.name), message: describeBudget(row) }));
    },
  },
  {
    kinds: ["prices-held", "price-refresh-failed"],
    async find({ db }, scope) {
      if (scope.clusterId !== undefined) return [];
      const rows = await findPrices(db, scope);
      return rows.map((row) => ({
        ...row,
        ...named(row.id, priceFeeds[row.feed].title),
        ...{ clusterId: null, clusterName: null, message: describePrices(row) },
      }));
    },
  },
];

function named(subjectId: string, subjectName: string) {
  return { subjectId, subjectName };
}

function inItself(clusterId: string, clusterName: string) {
  return { ...named(clusterId, clusterName), clusterId, clusterName };
}
