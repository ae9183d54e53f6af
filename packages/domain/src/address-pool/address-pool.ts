import { z } from "zod";
import { parsePrefix, prefix } from "../address/address.ts";
import { idOf } from "../id.ts";
import { objectName } from "../object-name.ts";
import { listInput } from "../page.ts";
import { plainText } from "../plain-text.ts";
import { findUnusable } from "./unusable-range.ts";

const change = { note: plainText(200).describe("A note, such as the uplink of its addresses, or a contact.") };

const poolPrefix = prefix.superRefine((text, ctx) => {
  const parsed = parsePrefix(text);
  const problem = "problem" in parsed ? null : findUnusable(parsed);
  if (problem) ctx.addIssue({ code: "custom", message: `${text} can't be a pool: ${problem}` });
});

export const createAddressPool = z
  .strictObject({
    clusterId: idOf("cluster"),
    name: objectName,
    prefix: poolPrefix,
    note: change.note.default(""),
    allowOverlap: z
      .boolean()
      .optional()
      .describe("Allows a prefix that overlaps a pool of another cluster. Within a cluster, pools never overlap."),
  })
  .meta({ id: "CreateAddressPool" });
export type CreateAddressPool = z.infer<typeof createAddressPool>;

/** The prefix and the cluster stay: exposures hold addresses of the pool. */
export const updateAddressPool = z.strictObject(change).partial().meta({ id: "UpdateAddressPool" });
export type UpdateAddressPool = z.infer<typeof updateAddressPool>;

export const addressPool = z
  .object({
    id: idOf("addressPool"),
    clusterId: idOf("cluster"),
    clusterName: z.string(),
    name: z.string(),
    prefix: z.string(),
    ...change,
    allocated: z.int(),
    capacity: z
      .number()
      .describe(
        "Number of addresses that can be allocated. A float, because an IPv6 pool can exceed the integer range.",
      ),
    createdAt: z.date(),
  })
  .meta({ id: "AddressPool" });
export type AddressPool = z.infer<typeof addressPool>;

export const listAddressPools = listInput(
  ["name", "clusterName", "allocated", "createdAt"],
  { clusterId: idOf("cluster").optional() },
  { sort: "name", direction: "asc" },
);
export type ListAddressPools = z.infer<typeof listAddressPools>;

/** What a pool without a free address means. */
export const fullPool =
  "New exposures that need an address of it are refused, and further instances wait, until one is released.";
