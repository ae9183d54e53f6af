import os from "node:os";
import { isServedHost, readHosts } from "@fairlead/domain/access";
import { onEveryRequest } from "./on-every-request.ts";
import { writeRefusal } from "./write-refusal.ts";

/** Health checks name what they please, and get no data. */
const open = new Set(["/healthz", "/readyz"]);

/**
 * refuseOtherHosts answers requests for a host name that isn't ours. Origins are compared with the requested host, so a
 * name that another site points at our address would count as our own.
 */
export function refuseOtherHosts({ url, allowedHosts }: { url: string; allowedHosts: string }): () => void {
  const listed = readHosts(allowedHosts);
  // The launcher refuses to start with an invalid list. Allowing no further name is the safe fallback.
  const names = [new URL(url).hostname, os.hostname().toLowerCase(), ...("problem" in listed ? [] : listed)];
  return onEveryRequest((request, response, next) => {
    const { host } = request.headers;
    // Without a Host header, it is no browser.
    if (host === undefined || isServedHost(host, names) || open.has(request.url?.split("?", 1)[0] ?? "")) return next();
    writeRefusal(response, {
      status: 421,
      kind: "misdirected",
      title: "This host name is not served here",
      detail: `Use ${url}. To serve another name too, such as one that a proxy sends, list it in FAIRLEAD_ALLOWED_HOSTS.`,
      headers: { connection: "close" },
    });
    response.end();
  });
}
