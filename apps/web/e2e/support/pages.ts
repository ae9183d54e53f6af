import type { APIRequestContext } from "@playwright/test";
import { create, unique } from "./rest.ts";

/** Every page of the dashboard that needs no object. */
export const plainPages = {
  overview: "/",
  exposures: "/exposures",
  "new-exposure": "/exposures/new",
  "load-balancers": "/load-balancers",
  clusters: "/clusters",
  "new-cluster": "/clusters?create=true",
  nodes: "/nodes",
  "new-node": "/nodes?add=true",
  "address-pools": "/address-pools",
  "new-pool": "/address-pools?create=true",
  routing: "/routing",
  experiments: "/experiments",
  mappings: "/mappings",
  choose: "/choose",
  calculator: "/costs?averageMbps=25",
  "running-costs": "/costs/running",
  "price-book": "/costs/price-book",
  prices: "/costs/prices",
  events: "/events",
  audit: "/audit",
  settings: "/settings",
  members: "/settings/members",
  "api-keys": "/settings/api-keys",
  "sign-in-settings": "/settings/identity-providers",
} as const;

/** Pages outside the dashboard, without a live stream. */
export const openPages = {
  "public-calculator": "/calculator",
  docs: "/docs",
  "docs-page": "/docs/guides/first-hour",
  "docs-search": "/docs?q=bgp",
  password: "/password",
} as const;

/** The parts of the pages of objects. */
export const objectTabs = {
  exposures: ["traffic", "backends", "routing", "costs", "events", "spec"],
  "load-balancers": ["replicas", "backends", "routing", "traffic", "events", "facts"],
  clusters: ["nodes", "exposures", "routing", "cloud", "events", "spec"],
  nodes: ["metrics", "agents", "machine", "events"],
} as const;

/** Parts that only some objects have, with a query that finds one. */
export const rareTabs = [
  { list: "exposures", tab: "map", query: "strategy=per-replica" },
  { list: "clusters", tab: "kubernetes", query: "kind=kubernetes" },
] as const;

/** Pages that need no session. A signed-in user is redirected from the first. */
export const signedOutPages = {
  "sign-in": (_: APIRequestContext) => "/sign-in",
  invitation: async (request: APIRequestContext) => {
    const invited = { email: `${unique("invited")}@example.test`, role: "operator" };
    return (await create<{ path: string }>(request, "invitations", invited)).path;
  },
} as const;
