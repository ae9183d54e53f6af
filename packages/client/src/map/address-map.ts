/** The address map of an exposure, as the control plane serves it: external addresses of its instances. */
export type AddressMap = {
  exposureId: string;
  name: string;
  /** Increases with every change that clients must learn. */
  generation: number;
  observedAt: string | null;
  entries: readonly AddressMapEntry[];
};

export type AddressMapEntry = {
  instance: string;
  pod: string | null;
  node: string | null;
  internalAddress: string;
  /** null until the load balancer has one. */
  externalAddress: string | null;
  /** The TLS server name (SNI) of the instance, if all instances share one address. */
  serverName?: string;
  ports: readonly MappedPort[];
  ready: boolean;
  since: string | null;
  generation: number;
};

export type MappedPort = { name: string | null; protocol: string; internal: number; external: number };
