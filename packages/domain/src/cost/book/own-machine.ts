import { z } from "zod";
import { idOf } from "../../id.ts";
import { objectName } from "../../object-name.ts";
import { listInput } from "../../page.ts";
import { plainText } from "../../plain-text.ts";
import { bookDay } from "../prices/book-day.ts";
import { currencyCode } from "../prices/currency-code.ts";

const mostMicros = 1e15;

const sum = (most = mostMicros) =>
  z
    .int("enter an amount such as 3600, with six decimal places at most")
    .min(0, "enter 0 or more")
    .max(most, `enter at most ${most / 1e6}`);
const figure = (least: number, most: number) =>
  z.number("enter a number").min(least, `enter ${least} or more`).max(most, `enter at most ${most}`);
const whole = (least: number, most: number) =>
  z.int("enter a whole number").min(least, `enter ${least} or more`).max(most, `enter at most ${most}`);

const fields = {
  name: objectName.describe("The name of the machine. Its offers are named after it: HAProxy on NAME."),
  cores: whole(1, 1_024),
  networkMbps: whole(1, 1_000_000).describe("Sustained network throughput, not bursts."),
  currency: currencyCode,
  purchaseMicros: sum().describe("The purchase price, in millionths of the currency."),
  amortisedMonths: whole(1, 240),
  powerWatts: figure(0, 100_000).describe("Average power consumption."),
  kwhMicros: sum(1e9).describe("The price of a kilowatt-hour."),
  pue: figure(1, 5).describe("Power usage effectiveness: power of the whole data centre for each watt of the machine."),
  hostingMonthlyMicros: sum().describe("Rack space and network connection per month."),
  staffHoursPerMonth: figure(0, 744),
  staffHourlyMicros: sum(1e11),
  staffShare: figure(0, 1).describe("The share of these hours for this machine."),
  validFrom: bookDay.describe(
    "The first day on which it applies. An entry with the same name and a later day replaces it from then on.",
  ),
  note: plainText(200),
};

/** All figures are required: a missing one must not count as free. */
export const createOwnMachine = z
  .strictObject({ ...fields, note: fields.note.default("") })
  .meta({ id: "CreateOwnMachine" });
export type CreateOwnMachine = z.infer<typeof createOwnMachine>;

export const updateOwnMachine = z.strictObject(fields).partial().meta({ id: "UpdateOwnMachine" });
export type UpdateOwnMachine = z.infer<typeof updateOwnMachine>;

/** OwnMachine is a type of machine that an organisation owns, with its costs. */
export const ownMachine = z
  .object({
    id: idOf("ownMachine"),
    ...fields,
    monthlyMicros: z.int().describe("The monthly cost of one machine: purchase, power, hosting and staff."),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: "OwnMachine" });
export type OwnMachine = z.infer<typeof ownMachine>;

export const listOwnMachines = listInput(["name", "validFrom", "createdAt"], {}, { sort: "name", direction: "asc" });
export type ListOwnMachines = z.infer<typeof listOwnMachines>;
