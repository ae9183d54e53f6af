import type { CloudRoute, CloudRouteMethod } from "@fairlead/domain";
import { linesOf } from "./peer-lines.ts";

/** What a person writes, every field a text; which of them count is the method's to say. */
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

/** wishOf is what is asked for, for the schema to complain about. No key at all keeps the one that is set. */
export function wishOf(draft: CloudRouteDraft): object {
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
