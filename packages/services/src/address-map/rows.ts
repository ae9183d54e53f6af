import { viewSource } from "@fairlead/db";
import { addressMapping, addressMappingChange } from "@fairlead/domain/address-map";

export const addressMappingSource = viewSource("address_mapping_view", addressMapping);
export const addressMappingChangeSource = viewSource("address_mapping_change_view", addressMappingChange);
