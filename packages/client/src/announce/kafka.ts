import { MapError } from "../errors.ts";
import { formatEndpoint } from "../map/address.ts";
import { needExternalPort } from "./find-port.ts";
import type { OwnEnds } from "./own-ends.ts";

export type KafkaAnnouncement = {
  /** The listeners for external clients: the name and the internal port of each. */
  listeners?: { name: string; port: number }[];
  /** Listeners to keep unchanged, such as INTERNAL://broker-0.brokers:9092: Kafka needs all of them in one line. */
  also?: string[];
};

const listenerName = /^[A-Za-z][A-Za-z0-9_]*$/;
const listener = /^[A-Za-z][A-Za-z0-9_]*:\/\/[^\s,]*:\d{1,5}$/;

/** announceKafka returns the advertised.listeners line of a broker's server.properties. */
export function announceKafka(own: OwnEnds, options: KafkaAnnouncement = {}): string {
  const { listeners = [{ name: "EXTERNAL", port: 9094 }], also = [] } = options;
  const invalid = [
    ...listeners.map(({ name }) => name).filter((name) => !listenerName.test(name)),
    ...also.filter((each) => !listener.test(each)),
  ];
  if (invalid.length > 0)
    throw new MapError(
      "invalid-option",
      `${invalid[0]} is not a listener: use NAME=PORT, or NAME://host:port to keep it unchanged.`,
    );
  const outside = listeners.map(({ name, port }) => {
    const external = needExternalPort(own, port, `the port of listener ${name}`);
    return `${name}://${formatEndpoint({ host: own.externalAddress, port: external })}`;
  });
  return `advertised.listeners=${[...also, ...outside].join(",")}\n`;
}
