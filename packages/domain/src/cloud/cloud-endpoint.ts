import { serverProblem } from "../address/server-problem.ts";

/** endpointProblem returns why an endpoint of a cloud's API is not allowed; empty if it is. */
export function endpointProblem(endpoint: string, allowed: readonly string[]): string {
  const url = URL.parse(endpoint);
  if (!url || url.origin === "null" || url.href.replace(/\/$/, "") !== url.origin)
    return "enter the endpoint as https://host, without user name or path";
  return serverProblem(url, allowed, "FAIRLEAD_CLOUD_ENDPOINTS");
}

/** readEndpoints parses FAIRLEAD_CLOUD_ENDPOINTS and FAIRLEAD_OIDC_ENDPOINTS: comma-separated URLs of servers. */
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
