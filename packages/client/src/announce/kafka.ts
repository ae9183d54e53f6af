import { MapError } from "../errors.ts";
import { formatEndpoint } from "../map/address.ts";
import { needExternalPort } from "./find-port.ts";
import type { OwnEnds } from "./own-ends.ts";

export type KafkaAnnouncement = {
  /** The listeners that clients outside use: their names, and the port of each inside. */
  listeners?: { name: string; port: number }[];
  /** Listeners that stay as they are, such as INTERNAL://broker-0.brokers:9092: Kafka wants all of them in one line. */
  also?: string[];
};

const listenerName = /^[A-Za-z][A-Za-z0-9_]*$/;
const listener = /^[A-Za-z][A-Za-z0-9_]*:\/\/[^\s,]*:\d{1,5}$/;

/** announceKafka writes the line of a broker's server.properties. */
export function announceKafka(own: OwnEnds, options: KafkaAnnouncement = {}): string {
  const { listeners = [{ name: "EXTERNAL", port: 9094 }], also = [] } = options;
  const wrong = [
    ...listeners.map(({ name }) => name).filter((name) => !listenerName.test(name)),
    ...also.filter((each) => !listener.test(each)),
  ];
  if (wrong.length > 0)
    throw new MapError("invalid-option", `${wrong[0]} is no listener: write NAME=PORT, or NAME://host:port as it is.`);
  const outside = listeners.map(({ name, port }) => {
    const external = needExternalPort(own, port, `where the listener ${name} is`);
    return `${name}://${formatEndpoint({ host: own.externalAddress, port: external })}`;
  });
  return `advertised.listeners=${[...also, ...outside].join(",")}\n`;
}
