import { isAddress } from "../address/address.ts";
import { isPublicAddress } from "../address/public-address.ts";

/** What a person can do about an endpoint that isn't let through; the setting is theirs who run the control plane. */
const cure = "whoever runs Fairlead can allow it with FAIRLEAD_CLOUD_ENDPOINTS";

/**
 * endpointProblem says why a cloud's API may not be asked at an endpoint; empty where it may. Who may change a cluster must
 * not have the controller talk to what only the controller reaches: so it is HTTPS on the Internet, or a server that
 * whoever runs the control plane has allowed. A name may still lead inside: whoever connects asks isPublicAddress again.
 */
export function endpointProblem(endpoint: string, allowed: readonly string[]): string {
  const url = URL.parse(endpoint);
  if (!url || url.origin === "null" || url.href.replace(/\/$/, "") !== url.origin)
    return "write the endpoint as https://host, without a path and without a name to sign in";
  if (allowed.includes(url.origin)) return "";
  if (url.protocol !== "https:") return `an endpoint takes https://; ${cure}`;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isInside = isAddress(host) ? !isPublicAddress(host) : /(^|\.)localhost\.?$/.test(host);
  return isInside ? `${host} is not on the Internet; ${cure}` : "";
}

/** readEndpoints reads what FAIRLEAD_CLOUD_ENDPOINTS lists: addresses of servers, commas between. */
export function readEndpoints(text: string | undefined): string[] | { problem: string } {
  const listed = (text ?? "").split(",").map((each) => each.trim());
  const origins: string[] = [];
  for (const each of listed.filter((one) => one !== "")) {
    const url = URL.parse(each);
    if (!url || !/^https?:$/.test(url.protocol) || url.href.replace(/\/$/, "") !== url.origin)
      return { problem: `write each as https://host or http://host:port, without a path; one is "${each}"` };
    origins.push(url.origin);
  }
  return origins;
}
