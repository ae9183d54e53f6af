export { freeReleasedAddresses } from "./allocate.sql.ts";
export { createAddressPool } from "./create.ts";
export { deleteAddressPool } from "./delete.ts";
export { getAddressPool } from "./get.ts";
export { listAddressPools } from "./list.ts";
export { updateAddressPool } from "./update.ts";
