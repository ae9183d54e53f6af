import { machineSkus, type PriceUnit } from "@fairlead/domain/cost";
import { z } from "zod";

export const meter = z.object({
  currencyCode: z.string().optional(),
  tierMinimumUnits: z.number().default(0),
  retailPrice: z.number().optional(),
  unitOfMeasure: z.string(),
  armRegionName: z.string(),
  armSkuName: z.string().nullish(),
  productName: z.string(),
  skuName: z.string(),
  serviceName: z.string(),
  meterName: z.string(),
  type: z.string(),
});
export type Meter = z.infer<typeof meter>;

type Item = { sku: string; unit: PriceUnit; units: readonly string[] };
type Named = Item & Pick<Meter, "serviceName" | "meterName"> & { productName?: string };

const hours = { unit: "hour", units: ["1 Hour", "1/Hour"] } as const;
const capacity = { unit: "capacity-unit-hour", units: ["1/Hour", "1 Hour"] } as const;
const data = { unit: "GB", units: ["1 GB"] } as const;

const balancer = { serviceName: "Load Balancer" };
const gateway = { serviceName: "Application Gateway" };
const standard = { ...gateway, productName: "Application Gateway Standard v2" };
const waf = { ...gateway, productName: "Application Gateway WAF v2" };

const named: readonly Named[] = [
  { sku: "lb-standard", ...balancer, meterName: "Standard Included LB Rules and Outbound Rules", ...hours },
  { sku: "lb-standard-rule-more", ...balancer, meterName: "Standard Overage LB Rules and Outbound Rules", ...hours },
  { sku: "lb-standard-data", ...balancer, meterName: "Standard Data Processed", ...data },
  { sku: "appgw-standard", ...standard, meterName: "Standard Fixed Cost", ...hours },
  { sku: "appgw-standard-cu", ...standard, meterName: "Standard Capacity Units", ...capacity },
  { sku: "appgw-waf", ...waf, meterName: "WAF Fixed Cost", ...hours },
  { sku: "appgw-waf-cu", ...waf, meterName: "WAF Capacity Units", ...capacity },
  {
    sku: "public-ipv4",
    serviceName: "Virtual Network",
    productName: "IP Addresses",
    meterName: "Standard IPv4 Static Public IP",
    ...hours,
  },
  // Routing over Microsoft's own network, which is the default.
  {
    sku: "egress",
    serviceName: "Bandwidth",
    productName: "Rtn Preference: MGN",
    meterName: "Standard Data Transfer Out",
    ...data,
  },
];

const machines = machineSkus("azure");
const machineService = "Virtual Machines";

export const azureSkus = [...named.map(({ sku }) => sku), ...machines];

/** azureQueries are narrow filters, because each page has only a hundred meters. */
export function azureQueries(regions: readonly string[]): string[] {
  const where = (names: readonly string[]) => anyOf("armRegionName", names);
  const paid = "priceType eq 'Consumption'";
  const everywhere = ["Global", ...regions];
  return [
    ...[...new Set(named.map(({ serviceName }) => serviceName))].map((service) => {
      const meters = named.filter(({ serviceName }) => serviceName === service).map(({ meterName }) => meterName);
      return `serviceName eq '${service}' and ${paid} and ${anyOf("meterName", meters)} and ${where(everywhere)}`;
    }),
    `serviceName eq '${machineService}' and ${paid} and ${anyOf("armSkuName", machines)} and ${where(regions)}`,
  ];
}

function anyOf(field: string, values: readonly string[]): string {
  return `(${values.map((value) => `${field} eq '${value}'`).join(" or ")})`;
}

/** itemOf returns the compared item that a meter matches, or null. */
export function itemOf(each: Meter): Item | null {
  if (each.type !== "Consumption") return null;
  if (each.serviceName === machineService) return machineOf(each);
  return (
    named.find(
      ({ serviceName, meterName, productName }) =>
        serviceName === each.serviceName &&
        meterName === each.meterName &&
        (productName === undefined || productName === each.productName),
    ) ?? null
  );
}

/** machineOf excludes prices that include a licence, and spot machines. */
function machineOf({ armSkuName, productName, skuName }: Meter): Item | null {
  const isOther = /Windows|Cloud ?Services|Dedicated/i.test(productName) || /Spot|Low Priority/i.test(skuName);
  if (isOther || !armSkuName || !machines.includes(armSkuName)) return null;
  return { sku: armSkuName, ...hours };
}
