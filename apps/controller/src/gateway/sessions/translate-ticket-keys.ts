import { create } from "@bufbuild/protobuf";
import { type TicketKeys, TicketKeysSchema } from "@fairlead/agent-protocol";
import { type SealedTicketKeys, type ServerTicketKeysConfig, ticketKeysOf } from "@fairlead/domain/load-balancer";
import { openTicketSecret, type SecretBox } from "@fairlead/services/gateway";
import { TicketNameCache } from "./ticket-name-cache.ts";

type Box = Pick<SecretBox, "open">;

const cache = new TicketNameCache();

/** TicketNames derives the names of servers' keys, that with which they encrypt first. */
export class TicketNames {
  readonly #names: ((server: string) => Uint8Array)[];

  constructor({ epochs }: SealedTicketKeys, box: Box) {
    this.#names = epochs.map((each) => cache.of(each, box));
  }

  of(server: string): Uint8Array[] {
    return this.#names.map((nameOf) => nameOf(server));
  }
}

/** toTicketKeys returns the complete keys of an instance, for the agent on its node. */
export function toTicketKeys(config: ServerTicketKeysConfig, instance: string, box: Box): TicketKeys {
  const { revision, software, folder, socket, servers, epochs } = config;
  const opened = new Map(
    epochs.map(({ number, sealed }) => {
      return [number, { secret: openTicketSecret(box, sealed), nameOf: cache.of({ sealed }, box) }];
    }),
  );
  const keys = ticketKeysOf(
    instance,
    servers,
    epochs.map((each) => each.number),
  ).flatMap(({ server, epoch }) => {
    const { secret, nameOf } = opened.get(epoch) ?? {};
    return secret && nameOf ? [{ name: nameOf(server), secret, epoch: BigInt(epoch), server }] : [];
  });
  return create(TicketKeysSchema, { revision: BigInt(revision), software, folder, socket, keys });
}
