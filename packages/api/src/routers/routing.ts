import {
  announcement,
  askRouterConfig,
  bgpSession,
  idOf,
  listAnnouncements,
  listBgpSessions,
  listRoutes,
  pageOf,
  route,
  routerConfigText,
} from "@fairlead/domain";
import * as services from "@fairlead/services";
import { procedure, router } from "../trpc.ts";

const tag = "Routing";

export const routingRouter = router({
  listBgpSessions: procedure
    .meta({
      permission: "cluster:read",
      rest: { method: "GET", path: "/bgp-sessions", summary: "List BGP sessions, from our end of each", tag },
    })
    .input(listBgpSessions)
    .output(pageOf(bgpSession))
    .query(({ ctx, input }) => services.listBgpSessions(ctx, input)),

  listAnnouncements: procedure
    .meta({
      permission: "cluster:read",
      rest: {
        method: "GET",
        path: "/announcements",
        summary: "List what balancers offer to routers, and why they don't",
        tag,
      },
    })
    .input(listAnnouncements)
    .output(pageOf(announcement))
    .query(({ ctx, input }) => services.listAnnouncements(ctx, input)),

  listRoutes: procedure
    .meta({
      permission: "cluster:read",
      rest: { method: "GET", path: "/routes", summary: "List the routes that our routers' kernels have", tag },
    })
    .input(listRoutes)
    .output(pageOf(route))
    .query(({ ctx, input }) => services.listRoutes(ctx, input)),

  writeRouterConfig: procedure
    .meta({
      permission: "cluster:read",
      rest: {
        method: "GET",
        path: "/clusters/{id}/router-config",
        summary: "Write the configuration of another router, or of a host that offers services itself",
        tag,
      },
    })
    .input(askRouterConfig.extend({ id: idOf("cluster") }))
    .output(routerConfigText)
    .query(({ ctx, input: { id, ...asked } }) => services.writeRouterConfig(ctx, id, asked)),
});
