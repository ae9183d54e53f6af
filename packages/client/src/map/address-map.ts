/** Which external address leads to which instance, as the control plane serves it. */
export type AddressMap = {
  exposureId: string;
  name: string;
  /** Rises with every change that a client has to learn. */
  generation: number;
  observedAt: string | null;
  entries: readonly AddressMapEntry[];
};

export type AddressMapEntry = {
  instance: string;
  pod: string | null;
  node: string | null;
  internalAddress: string;
  /** None until its load balancer has one. */
  externalAddress: string | null;
  /** What a TLS client has to ask for there, where one address leads to all instances. */
  serverName?: string;
  ports: readonly MappedPort[];
  ready: boolean;
  since: string | null;
  generation: number;
};

export type MappedPort = { name: string | null; protocol: string; internal: number; external: number };
