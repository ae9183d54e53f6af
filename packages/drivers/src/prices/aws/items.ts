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

/** Item is something of the list that we compare. One price may be that of several: units of an NLB cost the same for all. */
type Item = {
  skus: readonly string[];
  family: string | null;
  usage: string;
  unit: PriceUnit;
  units: readonly string[];
  also?: (attributes: Product["attributes"], region: string) => boolean;
};

/** Which services the list is read of. */
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

/** A region's usage bears its short name, such as EUC1-; TS- is the usage of something else. */
const ofRegion = /^(?!TS-)[A-Z]{2,4}\d?-/;

/** itemsOf answers what of ours a product is; mostly nothing. */
export function itemsOf({ productFamily, attributes }: Product, region: string) {
  const { usagetype, regionCode, fromRegionCode } = attributes;
  if ((fromRegionCode ?? regionCode ?? region) !== region) return [];
  const usage = usagetype.replace(ofRegion, "");
  return items
    .filter((item) => item.usage === usage && (item.family === null || item.family === productFamily))
    .filter(({ also }) => also?.(attributes, region) ?? true)
    .flatMap(({ skus, unit, units }) => skus.map((sku) => ({ sku, unit, units })));
}
