import { formatQuantity } from "../../charts/data/quantity.ts";

/** trafficText formats a bit rate: 25 Mbit/s, 1.2 Gbit/s. */
export function trafficText(mbps: number): string {
  const text = formatQuantity(mbps * 1_000_000, "bps");
  return text.replace(/(\.\d*?)0+(?=\D)/, "$1").replace(/\.(?=\D)/, "");
}
