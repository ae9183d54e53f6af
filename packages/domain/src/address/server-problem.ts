import { isAddress } from "./address.ts";
import { isPublicAddress } from "./public-address.ts";

/**
 * serverProblem returns why the control plane may not connect to a server that a member entered; empty if it may. Members
 * must not make it connect to its internal network. So a server is HTTPS on the internet, or one that the operator has
 * allowed with a variable. A name may still resolve to an internal address: callers check isPublicAddress on connect.
 */
export function serverProblem(url: URL, allowed: readonly string[], variable: string): string {
  if (allowed.includes(url.origin)) return "";
  // Only the operator of the control plane can set it.
  const remedy = `the operator of Fairlead can allow it with ${variable}`;
  if (url.protocol !== "https:") return `the endpoint must use https://; ${remedy}`;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isInside = isAddress(host) ? !isPublicAddress(host) : /(^|\.)localhost\.?$/.test(host);
  return isInside ? `${host} is not on the internet; ${remedy}` : "";
}
