import type { PriceUnit } from "@fairlead/domain/cost";

/** Item is a compared item of Google's network prices, with the valid units of its price. */
export type Item = { sku: string; description: RegExp; unit: PriceUnit; units: readonly string[] };

const hours = { unit: "hour", units: ["h"] } as const;
const data = { unit: "GiB", units: ["GiBy"] } as const;
const regional = (rest: string) => new RegExp(`^Regional External Application Load Balancer ${rest}\\b`);

export const items: readonly Item[] = [
  { sku: "forwarding-rules-5", description: /^Cloud Load Balancer Forwarding Rule Minimum Global$/, ...hours },
  { sku: "forwarding-rule-more", description: /^Cloud Load Balancer Forwarding Rule Additional Global$/, ...hours },
  { sku: "forwarding-rules-5", description: regional("Forwarding Rule Minimum"), ...hours },
  { sku: "forwarding-rule-more", description: regional("Forwarding Rule Additional"), ...hours },
  { sku: "lb-data-in", description: regional("Inbound Data Processing"), ...data },
  { sku: "lb-data-out", description: regional("Outbound Data Processing"), ...data },
];
