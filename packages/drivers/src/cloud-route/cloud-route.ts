import type { CloudCredentials, CloudRoute } from "@fairlead/domain";
import type { Change } from "../driver.ts";

/** Where every service address of a cluster is to be: at the replica that is reached at `to`, or nowhere. */
export type DesiredAddresses = {
  clusterId: string;
  addresses: readonly { address: string; to: string | null }[];
  /** These are not all of the cluster: others lead to the same interfaces, which stay marked though all of these leave. */
  isPart?: boolean;
};

export type AddressesRef = { clusterId: string; addresses: readonly { address: string }[] };

export type ObservedAddress = {
  address: string;
  /** The network interface that it leads to; null for none, or not the same one everywhere. */
  interfaceId: string | null;
  /** Every address of that interface. */
  reaches: string[];
  /** Whether we may change that. */
  isOurs: boolean;
};

/** A sentence on an address that can't be brought where it should be, while others can. */
export type AddressProblem = { address: string; message: string };

/**
 * CloudRouteDriver brings service addresses to network interfaces of a cloud. It marks what is its own in the cloud itself,
 * so that neither a crash between two calls nor a lost database makes it forget, and it changes nothing else: what somebody
 * else made of an address that is asked for is a problem of that address, and stays as it is.
 */
export interface CloudRouteDriver {
  /** set makes the cloud equal to desired, as far as it is let. A second call with the same value changes nothing. */
  set(desired: DesiredAddresses, signal: AbortSignal): Promise<{ changes: Change[]; problems: AddressProblem[] }>;
  /** observe reads back where addresses lead, whatever was asked for. */
  observe(ref: AddressesRef, signal: AbortSignal): Promise<ObservedAddress[]>;
}

/** CloudRouteFor opens the driver of a cluster's settings. The credentials stay in it. */
export type CloudRouteFor = (settings: CloudRoute, credentials: CloudCredentials) => CloudRouteDriver;
