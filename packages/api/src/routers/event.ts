import { pageOf } from "@fairlead/domain";
import { event, listEvents } from "@fairlead/domain/event";
import * as services from "@fairlead/services";
import { procedure, router } from "../trpc.ts";

export const eventRouter = router({
  list: procedure
    .meta({ permission: "event:read", rest: { method: "GET", path: "/events", summary: "List events", tag: "Events" } })
    .input(listEvents)
    .output(pageOf(event))
    .query(({ ctx, input }) => services.listEvents(ctx, input)),
});
