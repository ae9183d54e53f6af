import { Prisma } from "@fairlead/db";
import type { UpdateCluster } from "@fairlead/domain/cluster";
import type { ShownClusterRouting } from "@fairlead/domain/routing";
import type { ServiceContext } from "../context.ts";
import { routingBox } from "./routing-box.ts";

type Split = {
  /** The visible part. */
  routing: ShownClusterRouting | null;
  /** Not visible in what is shown: the same password may be sealed again. */
  isNewPassword: boolean;
  columns: { routing?: Prisma.InputJsonValue | typeof Prisma.DbNull; routingPassword?: string };
};

/** splitRouting splits the request into what all members may see and what is secret. */
export function splitRouting(
  ctx: ServiceContext,
  before: ShownClusterRouting | null,
  input: UpdateCluster["routing"],
): Split {
  if (input === undefined) return { routing: before, isNewPassword: false, columns: withoutPassword(before) };
  if (input === null)
    return { routing: null, isNewPassword: false, columns: { routing: Prisma.DbNull, routingPassword: "" } };
  const { password, ...stored } = input;
  const hasPassword = password === undefined ? before?.hasPassword === true : password !== null;
  const sealed = typeof password === "string" ? routingBox(ctx.settings.secret).seal(password) : "";
  return {
    routing: { ...stored, hasPassword },
    isNewPassword: typeof password === "string",
    columns: { routing: stored, ...(password === undefined ? {} : { routingPassword: sealed }) },
  };
}

function withoutPassword(routing: ShownClusterRouting | null): Split["columns"] {
  if (!routing) return { routing: Prisma.DbNull };
  const { hasPassword: _, ...stored } = routing;
  return { routing: stored };
}
