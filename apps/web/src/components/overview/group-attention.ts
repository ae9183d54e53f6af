import { type Attention, type AttentionKind, type AttentionList, attentionKinds } from "@fairlead/domain/attention";

export type AttentionGroup = {
  kind: AttentionKind;
  items: Attention[];
  /** How many there are, also of those that were not fetched. */
  total: number;
  /** The page that lists all of them. */
  list: string;
};

/** groupAttention collects the problems of each kind, in the order in which the list has the first of them. */
export function groupAttention({ items, counts }: Pick<AttentionList, "items" | "counts">): AttentionGroup[] {
  const totals = new Map(counts.map(({ kind, count }) => [kind, count]));
  return [...Map.groupBy(items, ({ kind }) => kind)].map(([kind, ofKind]) => ({
    kind,
    items: ofKind,
    total: totals.get(kind) ?? ofKind.length,
    list: attentionKinds[kind].list,
  }));
}
