import type { CloudRoute, CloudRouteMethod } from "@fairlead/domain/cloud";
import { linesOf } from "../routing/peer-lines.ts";

/** The fields of the form, all as text. The method decides which of them are used. */
export type CloudRouteDraft = {
  method: CloudRouteMethod;
  region: string;
  routeTables: string;
  elasticAddresses: string;
  vpcId: string;
  endpoint: string;
  accessKeyId: string;
  secretAccessKey: string;
};

export function draftOf(settings: CloudRoute | null): CloudRouteDraft {
  return {
    method: settings?.method ?? "route",
    region: settings?.region ?? "",
    routeTables: settings?.method === "route" ? settings.routeTables.join("\n") : "",
    elasticAddresses:
      settings?.method === "elastic-address"
        ? settings.elasticAddresses.map((each) => `${each.address} ${each.allocationId}`).join("\n")
        : "",
    vpcId: settings?.vpcId ?? "",
    endpoint: settings?.endpoint ?? "",
    accessKeyId: "",
    secretAccessKey: "",
  };
}

/** specOf returns the spec for the schema to validate. An empty key keeps the current one. */
export function specOf(draft: CloudRouteDraft): object {
  const { method, accessKeyId, secretAccessKey } = draft;
  const text = (value: string) => value.trim() || null;
  return {
    provider: "aws",
    method,
    region: draft.region.trim(),
    vpcId: text(draft.vpcId),
    endpoint: text(draft.endpoint),
    ...(method === "route" ? { routeTables: linesOf(draft.routeTables) } : {}),
    ...(method === "elastic-address" ? { elasticAddresses: linesOf(draft.elasticAddresses).map(pairOf) } : {}),
    ...(accessKeyId || secretAccessKey
      ? { credentials: { accessKeyId: accessKeyId.trim(), secretAccessKey: secretAccessKey.trim() } }
      : {}),
  };
}

function pairOf(line: string): { address: string; allocationId: string } {
  const [address = "", ...rest] = line.split(/[\s,]+/);
  return { address, allocationId: rest.join(" ") };
}
