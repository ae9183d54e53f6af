export { MapError, type MapErrorKind } from "../errors.ts";
export type { MappedPort } from "../map/address-map.ts";
export { announceKafka, type KafkaAnnouncement } from "./kafka.ts";
export { announceElasticsearch, announceEnv, announceInfinispan, announceJson } from "./others.ts";
export { type Family, type OwnEnds, ownEnds } from "./own-ends.ts";
export { announceRedis, type RedisAnnouncement } from "./redis.ts";
