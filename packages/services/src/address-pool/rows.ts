import { viewSource } from "@fairlead/db";
import { addressCount, parsePrefix } from "@fairlead/domain/address";
import { type AddressPool, addressPool } from "@fairlead/domain/address-pool";
import type { z } from "zod";

const addressPoolRow = addressPool.omit({ capacity: true });

export type AddressPoolRow = z.infer<typeof addressPoolRow>;

export const addressPoolSource = viewSource("address_pool_view", addressPoolRow);

export function toAddressPool(row: AddressPoolRow): AddressPool {
  return { ...row, capacity: capacityOf(row.prefix) };
}

function capacityOf(text: string): number {
  const prefix = parsePrefix(text);
  if ("problem" in prefix) throw new Error(`stored prefix ${text}: ${prefix.problem}`);
  return addressCount(prefix);
}
