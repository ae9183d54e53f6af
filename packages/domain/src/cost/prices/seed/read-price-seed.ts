import { readFileSync } from "node:fs";
import type { PricePoint } from "../price-point.ts";
import { readPrices } from "../read-prices.ts";

/** readPriceSeed reads the prices that come with the product. It needs Node, so no page can import it. */
export function readPriceSeed(): PricePoint[] {
  return readPrices(readFileSync(new URL("./prices.csv", import.meta.url), "utf8"));
}
