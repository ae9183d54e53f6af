import type { DocsTopic } from "./docs-topics.ts";

/** What each page links to. A test checks that no page is missing, except those of the documentation itself. */
export const pageTopics: Record<string, DocsTopic> = {
  "/": "overview",
  "/exposures": "exposures",
  "/exposures/new": "strategies",
  "/exposures/[id]": "exposures",
  "/exposures/[id]/edit": "exposures",
  "/load-balancers": "loadBalancers",
  "/load-balancers/[id]": "loadBalancers",
  "/clusters": "clusters",
  "/clusters/[id]": "clusters",
  "/nodes": "nodes",
  "/nodes/[id]": "nodes",
  "/address-pools": "addressPools",
  "/routing": "routing",
  "/experiments": "experiments",
  "/experiments/[id]": "experiments",
  "/mappings": "mappings",
  "/choose": "choose",
  "/costs": "costs",
  "/costs/running": "runningCost",
  "/costs/price-book": "priceBook",
  "/costs/prices": "priceRefreshes",
  "/calculator": "costs",
  "/events": "events",
  "/audit": "audit",
  "/settings": "settings",
  "/settings/members": "members",
  "/settings/api-keys": "apiKeys",
  "/settings/identity-providers": "signIn",
  "/sign-in": "signIn",
  "/password": "signIn",
  "/set-up": "firstHour",
  "/invitations/[token]": "members",
};

/** topicOfPath finds the topic of an address. A segment in brackets stands for any id. */
export function topicOfPath(path: string): DocsTopic | null {
  const exact = pageTopics[path];
  if (exact) return exact;
  const segments = path.split("/");
  const isLike = (route: string) => {
    const parts = route.split("/");
    return parts.length === segments.length && parts.every((part, i) => part.startsWith("[") || part === segments[i]);
  };
  const route = Object.keys(pageTopics).find(isLike);
  return route ? (pageTopics[route] ?? null) : null;
}
