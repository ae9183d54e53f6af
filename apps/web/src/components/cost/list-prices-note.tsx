export const listPricesNote = "List prices: your role can't view the price book.";

/** States that costs are list prices, for members who may not read the price book. */
export function ListPricesNote({ hasPriceBook }: { hasPriceBook: boolean }) {
  return hasPriceBook ? null : <p className="text-muted text-sm">{listPricesNote}</p>;
}
