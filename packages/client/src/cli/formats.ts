import { announceKafka } from "../announce/kafka.ts";
import { announceElasticsearch, announceEnv, announceInfinispan, announceJson } from "../announce/others.ts";
import type { OwnEnds } from "../announce/own-ends.ts";
import { announceRedis } from "../announce/redis.ts";

export const formats = ["redis", "kafka", "infinispan", "elasticsearch", "env", "json"] as const;
export type Format = (typeof formats)[number];

/** RenderOptions are the options of the formats. */
export type RenderOptions = {
  port?: number;
  tlsPort?: number;
  busPort?: number;
  between: "external" | "internal";
  listeners: { name: string; port: number }[];
  also: string[];
  prefix?: string;
};

/** renderAnnouncement writes an instance's external address in the format of its server. */
export function renderAnnouncement(
  own: OwnEnds,
  { format, render }: { format: Format; render: RenderOptions },
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
