import { type AddressPool, addressCount, parsePrefix } from "@fairlead/domain";

export type AddressPoolRow = Omit<AddressPool, "capacity">;

export const addressPoolSource = {
  from: "address_pool_view",
  columns: [
    "id",
    "clusterId",
    "clusterName",
    "name",
    "prefix",
    "allocated",
    "createdAt",
  ] as const satisfies readonly (keyof AddressPoolRow)[],
};

export function toAddressPool(row: AddressPoolRow): AddressPool {
  return { ...row, capacity: capacityOf(row.prefix) };
}

function capacityOf(text: string): number {
  const prefix = parsePrefix(text);
  if ("problem" in prefix) throw new Error(`stored prefix ${text}: ${prefix.problem}`);
  return addressCount(prefix);
}
