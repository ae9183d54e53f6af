import { pageOf } from "@fairlead/domain";
import { cloudAddress, listCloudAddresses } from "@fairlead/domain/cloud";
import {
  announcement,
  bgpSession,
  bgpTransition,
  getRoutingSummary,
  listAnnouncements,
  listBgpSessions,
  listBgpTransitions,
  listRoutes,
  listRouteUpdates,
  listRoutingTableAgents,
  queryRouteDelays,
  queryRoutingTable,
  routeDelays,
  routePage,
  routeUpdate,
  routingSummary,
  routingTable,
  routingTableAgents,
} from "@fairlead/domain/routing";
import * as services from "@fairlead/services";
import { procedure, router } from "../trpc.ts";

const tag = "Routing";

export const routingRouter = router({
  summary: procedure
    .meta({
      permission: "cluster:read",
      rest: {
        method: "GET",
        path: "/routing/summary",
        summary: "Count sessions, announcements and routes by state, with the topology",
        tag,
        looksUp: true,
      },
    })
    .input(getRoutingSummary)
    .output(routingSummary)
    .query(({ ctx, input }) => services.getRoutingSummary(ctx, input)),
});

export const bgpSessionRouter = router({
  list: procedure
    .meta({
      permission: "cluster:read",
      rest: { method: "GET", path: "/bgp-sessions", summary: "List BGP sessions, from our end of each", tag },
    })
    .input(listBgpSessions)
    .output(pageOf(bgpSession))
    .query(({ ctx, input }) => services.listBgpSessions(ctx, input)),
});

export const bgpTransitionRouter = router({
  list: procedure
    .meta({
      permission: "cluster:read",
      rest: {
        method: "GET",
        path: "/bgp-transitions",
        summary: "List state changes of BGP sessions and announcements, with reasons",
        tag,
      },
    })
    .input(listBgpTransitions)
    .output(pageOf(bgpTransition))
    .query(({ ctx, input }) => services.listBgpTransitions(ctx, input)),
});

export const announcementRouter = router({
  list: procedure
    .meta({
      permission: "cluster:read",
      rest: {
        method: "GET",
        path: "/announcements",
        summary: "List what balancers announce to routers, with reasons where they don't",
        tag,
      },
    })
    .input(listAnnouncements)
    .output(pageOf(announcement))
    .query(({ ctx, input }) => services.listAnnouncements(ctx, input)),
});

export const routeRouter = router({
  list: procedure
    .meta({
      permission: "cluster:read",
      rest: { method: "GET", path: "/routes", summary: "List the routes in routers' kernels", tag },
    })
    .input(listRoutes)
    .output(routePage)
    .query(({ ctx, input }) => services.listRoutes(ctx, input)),
});

export const routingTableRouter = router({
  query: procedure
    .meta({
      permission: "cluster:read",
      rest: {
        method: "GET",
        path: "/routing-table",
        summary: "Query the routes that reflectors, routers or one agent were offered, or that routers' kernels have",
        tag,
        looksUp: true,
      },
    })
    .input(queryRoutingTable)
    .output(routingTable)
    .query(({ ctx, input }) => services.queryRoutingTable(ctx, input)),

  listAgents: procedure
    .meta({
      permission: "cluster:read",
      rest: {
        method: "GET",
        path: "/routing-table/agents",
        summary: "List the agents whose routing table can be queried",
        tag,
        looksUp: true,
      },
    })
    .input(listRoutingTableAgents)
    .output(routingTableAgents)
    .query(({ ctx, input }) => services.listRoutingTableAgents(ctx, input)),
});

export const routeUpdateRouter = router({
  list: procedure
    .meta({
      permission: "cluster:read",
      rest: {
        method: "GET",
        path: "/route-updates",
        summary: "List which next hops were added and removed, and how long each phase took",
        tag,
      },
    })
    .input(listRouteUpdates)
    .output(pageOf(routeUpdate))
    .query(({ ctx, input }) => services.listRouteUpdates(ctx, input)),
});

export const routeDelayRouter = router({
  query: procedure
    .meta({
      permission: "cluster:read",
      rest: {
        method: "GET",
        path: "/route-delays",
        summary: "Count how long the phases of updates took",
        tag,
        looksUp: true,
      },
    })
    .input(queryRouteDelays)
    .output(routeDelays)
    .query(({ ctx, input }) => services.queryRouteDelays(ctx, input)),
});

export const cloudAddressRouter = router({
  list: procedure
    .meta({
      permission: "cluster:read",
      rest: {
        method: "GET",
        path: "/cloud-addresses",
        summary: "List the replica that a cloud routes each service address to, with problems",
        tag,
      },
    })
    .input(listCloudAddresses)
    .output(pageOf(cloudAddress))
    .query(({ ctx, input }) => services.listCloudAddresses(ctx, input)),
});
