import { formatQuantity } from "../charts/quantity.ts";

/** trafficText writes a traffic as people say it: 25 Mbit/s, 1.2 Gbit/s. */
export function trafficText(mbps: number): string {
  const text = formatQuantity(mbps * 1_000_000, "bps");
  return text.replace(/(\.\d*?)0+(?=\D)/, "$1").replace(/\.(?=\D)/, "");
}
