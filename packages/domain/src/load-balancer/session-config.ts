/** Where each replica receives messages of companions, as agents do by sessionPort in agents/internal/balancer/placing.go. */
export const replicaPort = 7_447;

/** SealedSessionKeys are the keys of a cluster, encrypted. The gateway derives those of an exposure when it sends a config. */
export type SealedSessionKeys = {
  current: string;
  /** Accepted too: the one before, or soon the next one. Absent for none. */
  previous?: string;
};

/** SealedTicketEpoch is the secret of an epoch of managed ticket keys, encrypted. The gateway derives names from it. */
export type SealedTicketEpoch = {
  number: number;
  sealed: string;
  /** The second name of the epoch, of servers in pods: see PodTicketName. */
  isMark?: true;
};

/** SealedTicketKeys are the managed ticket keys of an exposure. Servers encrypt with the first epoch. */
export type SealedTicketKeys = { revision: number; epochs: SealedTicketEpoch[] };

/** ServerTicketKeysConfig is how the keys of an instance reach its server. Servers are those with a key, by their instances. */
export type ServerTicketKeysConfig = SealedTicketKeys & {
  software: string;
  folder: string;
  socket: string;
  servers: string[];
};

/** SessionServiceConfig is how a balancer places the connections of a service by TLS session. */
export type SessionServiceConfig = {
  sealedKeys: SealedSessionKeys;
  names: string;
  ids: boolean;
  serverNames: string[];
  ticketSeconds: number;
  /** Absent unless they are managed. */
  ticketKeys?: SealedTicketKeys;
  fallbacks: string[];
};

/** SessionBackendConfig is where a backend takes connections by TLS session. */
export type SessionBackendConfig = {
  number: number;
  companion: string;
  /** The instance whose managed ticket keys it has. Absent for none. */
  ticketServer?: string;
};

/** BackendConfig is the desired state of one agent of the role backend: the servers of its node. */
export type BackendConfig = { servers: BackendServerConfig[] };

export type BackendServerConfig = {
  backendId: string;
  loadBalancerId: string;
  exposureId: string;
  instance: string;
  ownAddress: string;
  /** The service address, which the agent adds to the server's network namespace. */
  address: string;
  port: number;
  number: number;
  sealedKeys: SealedSessionKeys;
  /** host:port where replicas receive messages. */
  replicas: string[];
  /** How long clients may use its session ids. Absent in configs of earlier versions. */
  ticketSeconds?: number;
  /** Absent if the server has keys of its own. */
  ticketKeys?: ServerTicketKeysConfig;
};

/** SessionState is what changes while an exposure is paused: the keys of its cluster, and where its backends take connections. */
export type SessionState = {
  sealedKeys: SealedSessionKeys | null;
  backends: ReadonlyMap<string, SessionBackendConfig>;
};

/** kept: what the agent's last config has of paused exposures; state and replicas, by load balancer, renew it. */
export type BackendSnapshot = {
  servers: readonly BackendServerConfig[];
  kept?: readonly BackendServerConfig[] | undefined;
  state?: SessionState | undefined;
  replicas?: ReadonlyMap<string, readonly string[]> | undefined;
};

/** compileBackend sorts the servers, because the digest of the config depends on their order. */
export function compileBackend({ servers, kept = [], state, replicas }: BackendSnapshot): BackendConfig {
  const renewed = kept.map((each) => ({
    ...each,
    sealedKeys: state?.sealedKeys ?? each.sealedKeys,
    replicas: [...(replicas?.get(each.loadBalancerId) ?? each.replicas)],
  }));
  const all = [...servers, ...renewed].map((each) => ({ ...each, replicas: [...each.replicas].sort() }));
  return { servers: all.sort((a, b) => (a.backendId < b.backendId ? -1 : 1)) };
}
