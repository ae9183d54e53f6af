import type { SubjectKind } from "@fairlead/domain/event";

export const subjectWords: Record<SubjectKind, string> = {
  cluster: "Cluster",
  node: "Node",
  agent: "Agent",
  exposure: "Exposure",
  "load-balancer": "Load balancer",
  "address-pool": "Address pool",
  member: "Member",
  invitation: "Invitation",
  "api-key": "API key",
  "identity-provider": "Identity provider",
  "negotiated-price": "Negotiated price",
  "own-machine": "Price book machine",
  "currency-rate": "Currency rate",
  budget: "Budget",
  "enrollment-token": "Enrolment token",
  experiment: "Experiment",
  "price-refresh": "Price refresh",
  organization: "Organisation",
};

/** subjectHref is the page of an object, or the page that lists it; null if neither exists. */
export function subjectHref(kind: SubjectKind, id: string): string | null {
  switch (kind) {
    case "cluster":
      return `/clusters/${id}`;
    case "node":
      return `/nodes/${id}`;
    case "exposure":
      return `/exposures/${id}`;
    case "load-balancer":
      return `/load-balancers/${id}`;
    case "experiment":
      return `/experiments/${id}`;
    case "address-pool":
      return `/address-pools?peek=${id}`;
    case "member":
    case "invitation":
      return "/settings/members";
    case "api-key":
      return "/settings/api-keys";
    case "identity-provider":
      return "/settings/identity-providers";
    case "price-refresh":
      return `/costs/prices?refresh=${id}`;
    case "negotiated-price":
    case "own-machine":
    case "currency-rate":
      return "/costs/price-book";
    case "budget":
      return "/costs/running";
    case "organization":
      return "/settings";
    case "agent":
    case "enrollment-token":
      return null;
    default:
      return kind satisfies never;
  }
}
