import type { CloudCredentials, CloudRoute } from "@fairlead/domain/cloud";
import type { Change } from "../driver.ts";

/** The desired place of every service address of a cluster: the replica with the address `to`, or none. */
export type DesiredAddresses = {
  clusterId: string;
  addresses: readonly { address: string; to: string | null }[];
  /** These are not all addresses of the cluster: others use the same interfaces, which stay marked even if all of these are removed. */
  isPart?: boolean;
};

export type AddressesRef = { clusterId: string; addresses: readonly { address: string }[] };

export type ObservedAddress = {
  address: string;
  /** The network interface that it is routed to; null if there is none or several. */
  interfaceId: string | null;
  /** Every address of that interface. */
  reaches: string[];
  /** Whether Fairlead may change it. */
  isOurs: boolean;
};

/** An address whose network interface drops packets from other addresses than its own: AWS's source/destination check. */
export type CheckedAddress = { address: string; interfaceId: string };

/** Why one address can't be routed as desired. */
export type AddressProblem = { address: string; message: string };

/**
 * CloudRouteDriver routes service addresses to network interfaces of a cloud. It marks its own resources in the cloud, so that
 * neither a crash between two calls nor a lost database loses track of them. It changes nothing else: an address that someone
 * else uses is reported as a problem and stays as it is.
 */
export interface CloudRouteDriver {
  /** set makes the cloud equal to desired, as far as permitted. A second call with the same value changes nothing. */
  set(desired: DesiredAddresses, signal: AbortSignal): Promise<{ changes: Change[]; problems: AddressProblem[] }>;
  /** observe reads where addresses are routed, independent of the desired state. */
  observe(ref: AddressesRef, signal: AbortSignal): Promise<ObservedAddress[]>;
  /** checked returns those of these addresses of servers that can't answer clients from a service address. It only reads. */
  checked(ref: AddressesRef, signal: AbortSignal): Promise<CheckedAddress[]>;
  /** close ends idle connections. The driver isn't used after that. */
  close?(): void;
}

/** CloudRouteFor creates the driver for a cluster's settings. It keeps the credentials private. */
export type CloudRouteFor = (settings: CloudRoute, credentials: CloudCredentials) => CloudRouteDriver;
