import { isId } from "@fairlead/domain";
import { isAddress, isPrefix } from "@fairlead/domain/address";
import type { QueryRoutingTable } from "@fairlead/domain/routing";
import { createLoader, type inferParserType, parseAsInteger, parseAsString } from "nuqs/server";
import { inCluster } from "../table/table-params.ts";

/** The start of a page of a table. */
const offset = parseAsInteger.withDefault(0);

export const routingParams = {
  cluster: parseAsString,
  address: parseAsString.withDefault(""),
  table: parseAsString,
  sessionsFrom: offset,
  announcedFrom: offset,
  routesFrom: offset,
};
export type RoutingParams = inferParserType<typeof routingParams>;

export const loadRoutingParams = createLoader(routingParams);

/** The page size of each table. */
export const shown = 50;

export function summaryInput({ cluster }: RoutingParams) {
  return inCluster(cluster);
}

export function sessionsInput({ cluster, sessionsFrom }: RoutingParams) {
  return { ...inCluster(cluster), ...from(sessionsFrom), limit: shown };
}

export function announcementsInput({ cluster, address, announcedFrom }: RoutingParams) {
  return { ...inCluster(cluster), ...lookUp(address), ...from(announcedFrom), limit: shown };
}

/** The raw text from the URL. */
function from(offset: number): { offset?: number } {
  return offset > 0 && offset <= 1_000_000 ? { offset } : {};
}

export function cloudAddressesInput({ cluster, address }: RoutingParams) {
  const search = address.trim();
  return { ...inCluster(cluster), ...(search ? { search } : {}), limit: shown };
}

export function routesInput({ cluster, address, routesFrom }: RoutingParams) {
  return { ...inCluster(cluster), ...lookUp(address), ...from(routesFrom), limit: shown };
}

export function agentsInput({ cluster }: RoutingParams) {
  return inCluster(cluster);
}

/** tableInput is null without a filter: the tables of all agents together are too large. */
export function tableInput({ cluster, address, table }: RoutingParams, after: string): TableQuery | null {
  const wanted = lookUp(address);
  if (table && isId("agent", table)) return { agentId: table, ...wanted, after, limit: shown };
  return lookedUpIn(address) ? { ...inCluster(cluster), ...wanted, limit: shown } : null;
}
type TableQuery = Partial<QueryRoutingTable>;

/** kernelInput queries one router for its kernel routes, beyond those it reports. */
export function kernelInput(agentId: string, lookedUp: string, after: string): TableQuery {
  return { agentId, ...lookUp(lookedUp), after, kernel: true, limit: shown };
}

/** The latest updates are enough: the histograms cover all of them. */
const updatesShown = 20;

export function updatesInput({ cluster, address }: RoutingParams, range: { from: Date; to: Date } | null) {
  const span = range ? { from: range.from, to: range.to } : {};
  return { ...inCluster(cluster), ...lookUp(address), ...span, limit: updatesShown };
}

/** timelineInput queries the routing events of a time range, optionally those of a looked-up address. */
export function timelineInput(
  { cluster, address }: RoutingParams,
  range: { from: Date; to: Date } | null,
  limit: number,
) {
  const span = range ? { from: range.from, to: range.to } : {};
  const mentions = lookedUpIn(address);
  return { ...inCluster(cluster), topic: "routing" as const, ...(mentions ? { mentions } : {}), ...span, limit };
}

/** lookedUpIn parses an address or a prefix; null while the input is neither. */
export function lookedUpIn(text: string): string | null {
  const wanted = text.trim();
  const isRight = wanted.includes("/") ? isPrefix(wanted) : isAddress(wanted);
  return isRight ? wanted : null;
}

/** An address matches the prefixes that contain it. A prefix matches itself. */
function lookUp(text: string): { covers?: string; prefix?: string } {
  const wanted = lookedUpIn(text);
  if (!wanted) return {};
  return wanted.includes("/") ? { prefix: wanted } : { covers: wanted };
}
