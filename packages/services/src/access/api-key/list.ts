import type { Page } from "@fairlead/domain";
import type { ApiKey, ListApiKeys } from "@fairlead/domain/access";
import type { ServiceContext } from "../../context.ts";
import { contains, isOneOf } from "../../control/filter.sql.ts";
import { listWithin } from "../../control/list-within.ts";
import { apiKeySource } from "./rows.ts";

const sorts = {
  name: { cast: "text" },
  createdAt: { cast: "timestamptz" },
  lastUsedAt: { cast: "timestamptz", nullable: true },
  expiresAt: { cast: "timestamptz", nullable: true },
} as const;

export async function listApiKeys(ctx: ServiceContext, input: ListApiKeys): Promise<Page<ApiKey>> {
  return listWithin<ApiKey>(ctx, "key:read", input, {
    ...apiKeySource,
    sort: sorts[input.sort],
    where: [contains(["name", "start"], input.search), isOneOf("state", input.state)],
  });
}
