import { isAddress } from "../address/address.ts";
import { isPublicAddress } from "../address/public-address.ts";

/** How to allow a rejected endpoint. Only the operator of the control plane can set it. */
const remedy = "the operator of Fairlead can allow it with FAIRLEAD_CLOUD_ENDPOINTS";

/**
 * endpointProblem returns why an endpoint of a cloud's API is not allowed; empty if it is. Members who may change a cluster
 * must not make the controller connect to its internal network. So an endpoint is HTTPS on the internet, or one that the
 * operator has allowed. A name may still resolve to an internal address: callers check isPublicAddress on connect.
 */
export function endpointProblem(endpoint: string, allowed: readonly string[]): string {
  const url = URL.parse(endpoint);
  if (!url || url.origin === "null" || url.href.replace(/\/$/, "") !== url.origin)
    return "enter the endpoint as https://host, without user name or path";
  if (allowed.includes(url.origin)) return "";
  if (url.protocol !== "https:") return `the endpoint must use https://; ${remedy}`;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isInside = isAddress(host) ? !isPublicAddress(host) : /(^|\.)localhost\.?$/.test(host);
  return isInside ? `${host} is not on the internet; ${remedy}` : "";
}

/** readEndpoints parses FAIRLEAD_CLOUD_ENDPOINTS: comma-separated URLs of servers. */
export function readEndpoints(text: string | undefined): string[] | { problem: string } {
  const listed = (text ?? "").split(",").map((each) => each.trim());
  const origins: string[] = [];
  for (const each of listed.filter((one) => one !== "")) {
    const url = URL.parse(each);
    if (!url || !/^https?:$/.test(url.protocol) || url.href.replace(/\/$/, "") !== url.origin)
      return { problem: `enter each as https://host or http://host:port, without user name or path; one is "${each}"` };
    origins.push(url.origin);
  }
  return origins;
}
