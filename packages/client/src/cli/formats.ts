import { announceKafka } from "../announce/kafka.ts";
import { announceElasticsearch, announceEnv, announceInfinispan, announceJson } from "../announce/others.ts";
import type { OwnEnds } from "../announce/own-ends.ts";
import { announceRedis } from "../announce/redis.ts";
import type { AnnounceArguments } from "./arguments.ts";

export const formats = ["redis", "kafka", "infinispan", "elasticsearch", "env", "json"] as const;
export type Format = (typeof formats)[number];

/** renderAnnouncement writes an instance's ends in the words of its kind of server. */
export function renderAnnouncement(
  own: OwnEnds,
  { format, render }: Pick<AnnounceArguments, "format" | "render">,
): string {
  const { listeners, also, prefix, ...rest } = render;
  const port = render.port === undefined ? {} : { port: render.port };
  switch (format) {
    case "redis":
      return announceRedis(own, rest);
    case "kafka":
      return announceKafka(own, listeners.length > 0 ? { listeners, also } : { also });
    case "infinispan":
      return announceInfinispan(own, port);
    case "elasticsearch":
      return announceElasticsearch(own, port);
    case "env":
      return announceEnv(own, prefix === undefined ? {} : { prefix });
    case "json":
      return announceJson(own);
    default:
      return format satisfies never;
  }
}
