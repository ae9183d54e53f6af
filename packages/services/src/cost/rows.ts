import { viewSource } from "@fairlead/db";
import { storedPrice } from "@fairlead/domain/cost";

export const pricePointSource = viewSource("price_point_view", storedPrice);
