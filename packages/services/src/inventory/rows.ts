import { viewSource } from "@fairlead/db";
import { inventoryItem } from "@fairlead/domain/cluster";

export const inventoryItemSource = viewSource("inventory_item_view", inventoryItem);
