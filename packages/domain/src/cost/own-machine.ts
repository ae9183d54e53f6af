import { z } from "zod";
import { idOf } from "../id.ts";
import { objectName } from "../object-name.ts";
import { listInput } from "../page.ts";
import { plainText } from "../plain-text.ts";
import { currencyCode } from "./currency-code.ts";

const mostMicros = 1e15;
const sum = z.int().min(0).max(mostMicros);

const fields = {
  name: objectName.describe("Its offers are called by it: HAProxy on NAME."),
  cores: z.int().min(1).max(1_024),
  networkMbps: z.int().min(1).max(1_000_000).describe("What its network carries for good, not for minutes."),
  currency: currencyCode,
  purchaseMicros: sum.describe("What it cost once, in millionths of the currency."),
  amortisedMonths: z.int().min(1).max(240),
  powerWatts: z.number().min(0).max(100_000).describe("What it draws on average."),
  kwhMicros: sum.max(1e9).describe("What a kilowatt-hour costs."),
  pue: z
    .number()
    .min(1, "a hall takes no less than what runs in it: 1 or more")
    .max(5)
    .describe("How much the whole hall takes for each watt of the machine."),
  hostingMonthlyMicros: sum.describe("Its place in a rack, and the line, each month."),
  staffHoursPerMonth: z.number().min(0).max(744),
  staffHourlyMicros: sum.max(1e11),
  staffShare: z.number().min(0).max(1).describe("How much of those hours is for this machine."),
  validFrom: z.iso
    .date("give a day such as 2026-01-31")
    .describe("An entry of the same name and a later day replaces it from then on."),
  note: plainText(200),
};

/** Every figure has to be given: what nobody wrote down must not count as free. */
export const createOwnMachine = z
  .strictObject({ ...fields, note: fields.note.default("") })
  .meta({ id: "CreateOwnMachine" });
export type CreateOwnMachine = z.infer<typeof createOwnMachine>;

export const updateOwnMachine = z.strictObject(fields).partial().meta({ id: "UpdateOwnMachine" });
export type UpdateOwnMachine = z.infer<typeof updateOwnMachine>;

/** OwnMachine is a size of machine that an organisation owns, and what it takes to own one. */
export const ownMachine = z
  .object({
    id: idOf("ownMachine"),
    ...fields,
    monthlyMicros: z.int().describe("What one of it costs a month: bought, powered, placed and looked after."),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: "OwnMachine" });
export type OwnMachine = z.infer<typeof ownMachine>;

export const listOwnMachines = listInput(["name", "validFrom", "createdAt"], {}, { sort: "name", direction: "asc" });
export type ListOwnMachines = z.infer<typeof listOwnMachines>;
