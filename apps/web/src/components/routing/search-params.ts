import { type AskRoutingTable, ipAddress, isId } from "@fairlead/domain";
import { createLoader, type inferParserType, parseAsString } from "nuqs/server";
import { inCluster } from "@/components/table/table-params.ts";

export const routingParams = { cluster: parseAsString, address: parseAsString.withDefault(""), table: parseAsString };
export type RoutingParams = inferParserType<typeof routingParams>;

export const loadRoutingParams = createLoader(routingParams);

/** Of each table: more are found by an address. */
export const shown = 50;
/** Of the picture, which is of no use when it is larger. */
const drawn = 200;

export function sessionsInput({ cluster }: RoutingParams) {
  return { ...inCluster(cluster), limit: drawn };
}

export function announcementsInput({ cluster, address }: RoutingParams) {
  return { ...inCluster(cluster), ...covering(address), limit: shown };
}

export function cloudAddressesInput({ cluster, address }: RoutingParams) {
  const search = address.trim();
  return { ...inCluster(cluster), ...(search ? { search } : {}), limit: shown };
}

export function routesInput({ cluster, address }: RoutingParams) {
  return { ...inCluster(cluster), ...covering(address), limit: shown };
}

export function agentsInput({ cluster }: RoutingParams) {
  return inCluster(cluster);
}

/** tableInput is null while nothing says what to ask: the tables of all agents are for nobody to read whole. */
export function tableInput({ cluster, address, table }: RoutingParams, after: string): AskedTable | null {
  const covers = covering(address);
  if (table && isId("agent", table)) return { agentId: table, ...covers, after, limit: shown };
  return covers.covers ? { ...inCluster(cluster), ...covers, limit: shown } : null;
}
type AskedTable = Partial<AskRoutingTable>;

/** Of updates the newest are enough: how long they took altogether is said by the histograms. */
const updatesShown = 20;

export function updatesInput({ cluster, address }: RoutingParams, range: { from: Date; to: Date } | null) {
  const span = range ? { from: range.from, to: range.to } : {};
  return { ...inCluster(cluster), ...covering(address), ...span, limit: updatesShown };
}

/** What is no address yet narrows nothing: somebody is typing. */
function covering(text: string): { covers?: string } {
  const address = text.trim();
  return ipAddress.safeParse(address).success ? { covers: address } : {};
}
