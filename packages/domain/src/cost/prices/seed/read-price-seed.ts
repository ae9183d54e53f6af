import { readFileSync } from "node:fs";
import type { PricePoint } from "../price-point.ts";
import { readPrices } from "../read-prices.ts";

/** readPriceSeed reads the built-in prices. It needs Node, so pages can't import it. */
export function readPriceSeed(): PricePoint[] {
  return readPrices(readFileSync(new URL("./prices.csv", import.meta.url), "utf8"));
}
