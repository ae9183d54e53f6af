import type { KubernetesReads } from "../api/connect.ts";
import { type FollowOptions, follow } from "./follow.ts";
import type { KubernetesObject } from "./objects.ts";

/** Complaint is a controller's warning about a Service, from Kubernetes events. */
export type Complaint = { uid: string; serviceUid: string; text: string; version: bigint };

/** Complaints has the newest one of each Service, for as long as its cluster keeps events: an hour by default. */
export type Complaints = {
  /** latestOf returns the controller and its message about a Service; null if there is none. */
  latestOf: (serviceUid: string) => string | null;
  stop: () => Promise<void>;
};

const mostText = 1_000;

/**
 * followComplaints follows them with a watch. Without permission to read events there are none: they only add explanations to the
 * observed state.
 */
export function followComplaints(
  reads: KubernetesReads,
  {
    onChange,
    ...options
  }: { onChange: (serviceUid: string) => void } & Pick<FollowOptions<unknown>, "now" | "random" | "times">,
): Complaints {
  const byService = new Map<string, Map<string, Complaint>>();
  const followed = follow<Complaint>(
    reads,
    { path: "/api/v1/events", fieldSelector: "involvedObject.kind=Service,type=Warning", keep: keepComplaint },
    {
      ...options,
      onChange(before, after) {
        const either = after ?? before;
        if (!either) return;
        const { uid, serviceUid } = either;
        const own = byService.get(serviceUid) ?? new Map<string, Complaint>();
        if (after) own.set(uid, after);
        else own.delete(uid);
        if (own.size > 0) byService.set(serviceUid, own);
        else byService.delete(serviceUid);
        onChange(serviceUid);
      },
    },
  );
  return {
    latestOf(serviceUid) {
      const own = [...(byService.get(serviceUid)?.values() ?? [])];
      return own.reduce<Complaint | null>((a, b) => (a && a.version > b.version ? a : b), null)?.text ?? null;
    },
    stop: followed.stop,
  };
}

function keepComplaint(object: KubernetesObject): Complaint {
  const { uid, resourceVersion } = object.metadata;
  const event = object as {
    involvedObject?: { uid?: string };
    reason?: string;
    message?: string;
    source?: { component?: string };
    reportingComponent?: string;
  };
  const who = event.source?.component || event.reportingComponent || "Its controller";
  const what = (event.message || event.reason || "").replace(/\s+/g, " ").trim().slice(0, mostText);
  return {
    uid,
    serviceUid: event.involvedObject?.uid ?? "",
    text: `${who} reports: ${what}`,
    version: BigInt(resourceVersion),
  };
}
