import { Prisma } from "@fairlead/db";
import { mostCounted, type Page } from "@fairlead/domain";
import { type Event, type ListEvents, reasonsOf } from "@fairlead/domain/event";
import { authorizeMapFilter, hideMessage, mayReadMap, unlessMap } from "../address-map/may-read.ts";
import type { ServiceContext } from "../context.ts";
import { contains, equals, isOneOf, within } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
import { eventSource } from "./rows.ts";

export async function listEvents(ctx: ServiceContext, input: ListEvents): Promise<Page<Event>> {
  authorizeMapFilter(ctx, input.mentions !== undefined);
  const searched = mayReadMap(ctx) ? ["message", "reason", "subjectName"] : ["reason", "subjectName"];
  const page = await listWithin<Event>(ctx, "event:read", input, {
    ...eventSource,
    sort: { cast: "timestamptz" },
    where: [
      contains(searched, input.search),
      isOneOf("severity", input.severity),
      isOneOf("reason", input.topic ? reasonsOf(input.topic) : input.reason),
      mentions(input.mentions),
      isOneOf("subjectKind", input.subjectKind),
      isAbout(ctx.organizationId, input.subjectId),
      equals("clusterId", input.clusterId),
      within("at", input.from, input.to),
    ],
    countAtMost: mostCounted,
  });
  return { ...page, items: page.items.map(unlessMap<Event>(ctx, hideMessage)) };
}

/** mentions finds a text as a whole word: 192.0.2.1 is not in 192.0.2.10. An address also matches its host prefix. */
function mentions(text: string | undefined): Prisma.Sql {
  if (text === undefined) return Prisma.sql`true`;
  const pattern = `(^|[^0-9a-f.:])${text.toLowerCase().replaceAll(".", "\\.")}($|[^0-9a-f:.]|[.:]($|[^0-9a-f]))`;
  return Prisma.sql`lower(message) ~ ${pattern}`;
}

/** Events about an exposure are mostly recorded on its load balancers. */
function isAbout(organizationId: string, subjectId: string | undefined): Prisma.Sql {
  if (!subjectId?.startsWith("exp_")) return equals("subjectId", subjectId);
  return Prisma.sql`"subjectId" = ANY(ARRAY(
    SELECT ${subjectId} UNION ALL SELECT id FROM load_balancer WHERE organization_id = ${organizationId} AND exposure_id = ${subjectId}))`;
}
