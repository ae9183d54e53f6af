/** TicketKeyOf is a key: the name is derived from the epoch's secret and the server. */
export type TicketKeyOf = { server: string; epoch: number };

/**
 * Of how many other servers a server gets keys. With more, the tickets of some servers start with a full handshake at
 * others, as configs and files grow with the square of the servers.
 */
export const mostAcceptedServers = 63;

/** acceptedServers returns a server and those whose keys it gets, in this order. */
export function acceptedServers(server: string, servers: readonly string[]): string[] {
  const others = servers.filter((each) => each !== server).sort();
  const [after, before] = [others.filter((each) => each > server), others.filter((each) => each < server)];
  return [server, ...[...after, ...before].slice(0, mostAcceptedServers)];
}

/**
 * ticketKeysOf returns the keys of a server. Its key of the first epoch, with which it encrypts, is the first one. Its keys of
 * other epochs follow, because its clients have these tickets; then those of other servers, by epoch.
 */
export function ticketKeysOf(server: string, servers: readonly string[], epochs: readonly number[]): TicketKeyOf[] {
  const [, ...others] = acceptedServers(server, servers);
  return [
    ...epochs.map((epoch) => ({ server, epoch })),
    ...epochs.flatMap((epoch) => others.map((other) => ({ server: other, epoch }))),
  ];
}
