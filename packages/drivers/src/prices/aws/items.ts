import type { PriceUnit } from "@fairlead/domain/cost";
import { z } from "zod";

export const product = z.object({
  productFamily: z.string().optional(),
  attributes: z.object({
    usagetype: z.string().default(""),
    regionCode: z.string().optional(),
    fromRegionCode: z.string().optional(),
    transferType: z.string().optional(),
    toLocation: z.string().optional(),
  }),
});
export type Product = z.infer<typeof product>;

/** Item is a compared item of the list. It may have several SKUs: capacity units of an NLB cost the same for every protocol. */
type Item = {
  skus: readonly string[];
  family: string | null;
  usage: string;
  unit: PriceUnit;
  units: readonly string[];
  also?: (attributes: Product["attributes"], region: string) => boolean;
};

/** The services whose lists are read. */
export const offerCodes = ["AWSELB", "AmazonVPC", "AWSDataTransfer"] as const;

const hours = { unit: "hour", units: ["Hrs"] } as const;
const capacity = { unit: "capacity-unit-hour", units: ["LCU-Hrs", "NLCU-Hrs", "GLCU-Hrs"] } as const;
const data = { unit: "GB", units: ["GB"] } as const;

const items: readonly Item[] = [
  { skus: ["alb"], family: "Load Balancer-Application", usage: "LoadBalancerUsage", ...hours },
  { skus: ["alb-lcu"], family: "Load Balancer-Application", usage: "LCUUsage", ...capacity },
  { skus: ["nlb"], family: "Load Balancer-Network", usage: "LoadBalancerUsage", ...hours },
  {
    skus: ["nlb-lcu-tcp", "nlb-lcu-udp", "nlb-lcu-tls"],
    family: "Load Balancer-Network",
    usage: "LCUUsage",
    ...capacity,
  },
  { skus: ["gwlb"], family: "Load Balancer-Gateway", usage: "LoadBalancerUsage", ...hours },
  { skus: ["gwlb-lcu"], family: "Load Balancer-Gateway", usage: "LCUUsage", ...capacity },
  { skus: ["clb"], family: "Load Balancer", usage: "LoadBalancerUsage", ...hours },
  { skus: ["clb-data"], family: "Load Balancer", usage: "DataProcessing-Bytes", ...data },
  { skus: ["gwlb-endpoint"], family: null, usage: "VpcEndpoint-GWLBE-Hours", ...hours },
  { skus: ["gwlb-endpoint-data"], family: null, usage: "VpcEndpoint-GWLBE-Bytes", ...data },
  { skus: ["public-ipv4"], family: null, usage: "PublicIPv4:InUseAddress", ...hours },
  {
    skus: ["egress"],
    family: "Data Transfer",
    usage: "DataTransfer-Out-Bytes",
    ...data,
    also: ({ transferType, toLocation }) => transferType === "AWS Outbound" && toLocation === "External",
  },
  {
    skus: ["between-zones"],
    family: "Data Transfer",
    usage: "DataTransfer-Regional-Bytes",
    ...data,
    also: ({ transferType }) => transferType === "IntraRegion",
  },
];

export const awsSkus = items.flatMap(({ skus }) => skus);

/** Usage types start with the short name of the region, such as EUC1-. TS- is another usage type. */
const ofRegion = /^(?!TS-)[A-Z]{2,4}\d?-/;

/** itemsOf returns the compared items that a product matches; mostly none. */
export function itemsOf({ productFamily, attributes }: Product, region: string) {
  const { usagetype, regionCode, fromRegionCode } = attributes;
  if ((fromRegionCode ?? regionCode ?? region) !== region) return [];
  const usage = usagetype.replace(ofRegion, "");
  return items
    .filter((item) => item.usage === usage && (item.family === null || item.family === productFamily))
    .filter(({ also }) => also?.(attributes, region) ?? true)
    .flatMap(({ skus, unit, units }) => skus.map((sku) => ({ sku, unit, units })));
}
