import { fullPool } from "@fairlead/domain/address-pool";
import type { FoundProblem } from "@fairlead/domain/attention";
import { describeWaiting } from "@fairlead/domain/exposure";
import { nodeMessage } from "@fairlead/domain/node";
import { capacityOf, count, money } from "@fairlead/domain/numbers";
import type { BgpSession } from "@fairlead/domain/routing";
import type { BudgetRow } from "./find-budgets.sql.ts";
import type { CloudAddressRow } from "./find-cloud-addresses.sql.ts";
import type { DeletionRow } from "./find-deletions.sql.ts";
import type { ExpiringRow } from "./find-expiring.sql.ts";
import type { NodeRow } from "./find-nodes.sql.ts";
import type { PausedRow } from "./find-paused.sql.ts";
import type { PoolRow } from "./find-pools.sql.ts";
import type { PriceRow } from "./find-prices.sql.ts";
import type { TicketKeysRow } from "./find-ticket-keys.sql.ts";

// One sentence for each row, with the cure where the row alone doesn't show it.

type Outdated = Pick<TicketKeysRow, "servers" | "serverCount" | "replicaCount" | "secret" | "secretProblem">;
type Kinded<Row> = Row & Pick<FoundProblem, "kind">;

export function describeNode(node: Kinded<NodeRow>): string {
  const agent = node.role ? `Its ${node.role} agent` : "Its agent";
  if (node.kind === "node-silent")
    return `${agent} doesn't report: check that the machine runs and reaches the control plane.`;
  if (node.kind === "node-never-reported")
    return `${agent} enrolled but never reported: check that it runs and reaches the control plane.`;
  return nodeMessage(node);
}

export function describePaused({ pausedAt }: PausedRow): string {
  return `Paused at ${instant(pausedAt)}: nothing is changed or repaired until it is resumed.`;
}

export function describeOutdatedKeys({ secret, secretProblem, ...waiting }: Outdated): string {
  const are = `The ticket keys of ${describeWaiting(waiting)} are outdated`;
  if (secretProblem !== "") return `${are}. ${secretProblem}`;
  if (secret !== "" && waiting.serverCount > 0)
    return `${are}: check that these pods mount the Secret ${secret}, and that their servers reload when its files change.`;
  return `${are}: check the agents there. Reload servers that don't read new keys by themselves.`;
}

export function describeStuckDeletion({ deletedAt, reason }: DeletionRow): string {
  const still = `It was deleted at ${instant(deletedAt)}, and not everything of it is gone`;
  return withStop(`${still}${reason ? `: ${reason}` : ". Check that its cluster and its agents are reachable"}`);
}

export function describeSession({
  peerName,
  peerAddress,
  peerAsn,
  trouble,
}: Pick<BgpSession, "peerName" | "peerAddress" | "peerAsn" | "trouble">): string {
  const peer = `${peerName ? `${peerName} (${peerAddress})` : peerAddress} of AS ${peerAsn}`;
  return withStop(
    `No session with ${peer}${trouble ? `: ${trouble}` : ". Check that the peer is reachable and accepts this AS"}`,
  );
}

export function describeCloudAddress({ kind, address, reason }: Kinded<CloudAddressRow>): string {
  const lack = kind === "cloud-address-refused" ? "can't be routed" : "has no healthy replica";
  return withStop(`${address} ${lack}${reason ? `: ${reason}` : ""}`);
}

export function describePool({ allocated, capacity, prefix }: PoolRow): string {
  const left = capacity - allocated;
  if (left <= 0) return `All ${capacityOf(capacity)} addresses of ${prefix} are taken. ${fullPool}`;
  return `${capacityOf(allocated)} of ${capacityOf(capacity)} addresses of ${prefix} are taken; ${capacityOf(left)} ${left === 1 ? "is" : "are"} left.`;
}

export function describeCertificate({ kind, owner, expiresAt }: Kinded<ExpiringRow>): string {
  const certificate = `The certificate of its ${owner} agent`;
  if (kind === "certificate-expired")
    return `${certificate} expired at ${instant(expiresAt)}: the agent can only return with a new token.`;
  return `${certificate} expires at ${instant(expiresAt)}, and its renewal fails: check that the agent reaches the control plane.`;
}

export function describeKubeconfig({ expiresAt }: ExpiringRow): string {
  return `The client certificate of its kubeconfig expires at ${instant(expiresAt)}: after that, the cluster denies access.`;
}

export function describeToken({ owner, expiresAt }: ExpiringRow): string {
  return `No node can join with the reusable token of ${owner} after ${instant(expiresAt)}.`;
}

export function describeApiKey({ expiresAt }: ExpiringRow): string {
  return `Requests with this key are rejected after ${instant(expiresAt)}.`;
}

const tooMuch =
  "It has too many load balancers, or an exchange rate is too high: limit it to a cluster or a label, or correct the rate.";

export function describeBudget({
  kind,
  amountMicros,
  spentMicros,
  forecastMicros,
  currency,
  warnAtPercent,
  reason,
}: Kinded<BudgetRow>): string {
  if (spentMicros === null || kind === "budget-unknown")
    return `Its cost can't be calculated. ${withStop(reason || tooMuch)}`;
  const spent = `This month, ${money(spentMicros, currency)} of ${money(amountMicros, currency)} is spent`;
  if (kind === "budget-over") return `${spent}: find what costs most, or raise the amount.`;
  if (kind === "budget-warned") return `${spent}, and the budget warns at ${warnAtPercent} %.`;
  return `${spent}, and the forecast is ${money(forecastMicros ?? spentMicros, currency)}.`;
}

export function describePrices({ kind, reason, waitingCount }: Kinded<PriceRow>): string {
  if (kind === "price-refresh-failed") return `${withStop(reason)} The earlier prices still apply.`;
  if (waitingCount === 1) return "1 price waits for review; until then the earlier one applies.";
  return `${count(waitingCount)} prices wait for review; until then the earlier ones apply.`;
}

export function withStop(text: string): string {
  return text === "" || /[.!?]$/.test(text) ? text : `${text}.`;
}

/** To the minute, because the text doesn't change with the clock. */
function instant(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
