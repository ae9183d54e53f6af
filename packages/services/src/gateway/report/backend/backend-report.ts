import { invalid } from "@fairlead/domain";
import { checkReachableAddress } from "../reachable-address.ts";
import { storable, storableRevision } from "../storable.ts";

/** BackendReport is the report of an agent with the role backend. */
export type BackendReport = {
  /** Why no server of its node takes connections by TLS session; empty if they can. */
  problem: string;
  servers: ReportedServer[];
};

export type ReportedServer = {
  backendId: string;
  ready: boolean;
  message: string;
  companion: string;
  /** Of the managed ticket keys that it has; 0 for none. */
  ticketRevision: number;
  ticketProblem: string;
};

const most = { servers: 10_000, id: 64 } as const;

/** checkBackend makes the report of an agent next to servers fit its columns. Of two about one server the last counts. */
export function checkBackend(report: BackendReport | null): BackendReport | null {
  if (!report) return null;
  const { problem, servers } = report;
  if (servers.length > most.servers)
    throw invalid(["backend"], `An agent may report ${most.servers} servers, this one reports ${servers.length}.`);
  const checked = servers.map(checkServer);
  return { problem: storable(problem), servers: [...new Map(checked.map((each) => [each.backendId, each])).values()] };
}

/** Balancers would reject a config with an invalid companion, so a server without a valid one takes no connections. */
function checkServer({ backendId, ready, message, companion, ...tickets }: ReportedServer): ReportedServer {
  const address = checkReachableAddress(companion);
  const lacksAddress = ready && address === "";
  return {
    backendId: storable(backendId).slice(0, most.id),
    ready: ready && !lacksAddress,
    message: storable(lacksAddress ? `Balancers can't send to the address ${companion} of its agent.` : message),
    companion: address,
    ticketRevision: storableRevision(tickets.ticketRevision),
    ticketProblem: storable(tickets.ticketProblem),
  };
}
