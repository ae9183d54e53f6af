import type { SubjectKind } from "@fairlead/domain";

/** subjectHref is the page about a thing, or the page where it is listed; null where it has none. */
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
    case "address-pool":
      return "/address-pools";
    case "member":
    case "invitation":
      return "/settings/members";
    case "api-key":
      return "/settings/api-keys";
    case "identity-provider":
      return "/settings/identity-providers";
    case "organization":
      return "/settings";
    case "agent":
    case "enrollment-token":
      return null;
    default:
      return kind satisfies never;
  }
}
