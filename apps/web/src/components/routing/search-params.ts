import { type AskRoutingTable, ipAddress, isId, parsePrefix } from "@fairlead/domain";
import { createLoader, type inferParserType, parseAsInteger, parseAsString } from "nuqs/server";
import { inCluster } from "../table/table-params.ts";

/** Where the page of a table begins. */
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

/** Of each table, on a page. */
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

/** Whatever stands in the address bar. */
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

/** tableInput is null while nothing says what to ask: the tables of all agents are for nobody to read whole. */
export function tableInput({ cluster, address, table }: RoutingParams, after: string): AskedTable | null {
  const wanted = lookUp(address);
  if (table && isId("agent", table)) return { agentId: table, ...wanted, after, limit: shown };
  return lookedUpIn(address) ? { ...inCluster(cluster), ...wanted, limit: shown } : null;
}
type AskedTable = Partial<AskRoutingTable>;

/** kernelInput asks one router what its kernel has, past what it reports. */
export function kernelInput(agentId: string, lookedUp: string, after: string): AskedTable {
  return { agentId, ...lookUp(lookedUp), after, kernel: true, limit: shown };
}

/** Of updates the newest are enough: how long they took altogether is said by the histograms. */
const updatesShown = 20;

export function updatesInput({ cluster, address }: RoutingParams, range: { from: Date; to: Date } | null) {
  const span = range ? { from: range.from, to: range.to } : {};
  return { ...inCluster(cluster), ...lookUp(address), ...span, limit: updatesShown };
}

/** timelineInput asks for what happened to routing in a span: to all of it, or to what is looked up. */
export function timelineInput(
  { cluster, address }: RoutingParams,
  range: { from: Date; to: Date } | null,
  limit: number,
) {
  const span = range ? { from: range.from, to: range.to } : {};
  const mentions = lookedUpIn(address);
  return { ...inCluster(cluster), topic: "routing" as const, ...(mentions ? { mentions } : {}), ...span, limit };
}

/** lookedUpIn is the address or the prefix that a text is; null for what is neither yet, since somebody is typing. */
export function lookedUpIn(text: string): string | null {
  const wanted = text.trim();
  const isRight = wanted.includes("/") ? !("problem" in parsePrefix(wanted)) : ipAddress.safeParse(wanted).success;
  return isRight ? wanted : null;
}

/** An address finds the prefixes that hold it; a prefix finds itself. */
function lookUp(text: string): { covers?: string; prefix?: string } {
  const wanted = lookedUpIn(text);
  if (!wanted) return {};
  return wanted.includes("/") ? { prefix: wanted } : { covers: wanted };
}
