import {
  type AddressPool,
  type CreateAddressPool,
  type UpdateAddressPool,
  updateAddressPool,
} from "@fairlead/domain/address-pool";
import { readSpec } from "./read-spec.ts";

/** poolSpec returns what creates this pool again. */
export function poolSpec({ clusterId, name, prefix, note }: AddressPool): CreateAddressPool {
  return { clusterId, name, prefix, note };
}

export function readPoolSpec(stored: unknown): UpdateAddressPool | null {
  return readSpec(updateAddressPool, stored);
}
