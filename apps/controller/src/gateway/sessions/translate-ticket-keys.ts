import { create } from "@bufbuild/protobuf";
import { type TicketKeys, TicketKeysSchema } from "@fairlead/agent-protocol";
import { type SealedTicketKeys, type ServerTicketKeysConfig, ticketKeysOf } from "@fairlead/domain/load-balancer";
import { openTicketSecret, type SecretBox, ticketName } from "@fairlead/services/gateway";

type Box = Pick<SecretBox, "open">;

/** TicketNames derives the names of servers' keys, that with which they encrypt first. */
export class TicketNames {
  readonly #secrets: { secret: Buffer; isMark: boolean }[];

  constructor({ epochs }: SealedTicketKeys, box: Box) {
    this.#secrets = epochs.map(({ sealed, isMark = false }) => ({ secret: openTicketSecret(box, sealed), isMark }));
  }

  of(server: string): Uint8Array[] {
    return this.#secrets.map(({ secret, isMark }) => ticketName(secret, server, { isMark }));
  }
}

/** toTicketKeys returns the complete keys of an instance, for the agent on its node. */
export function toTicketKeys(config: ServerTicketKeysConfig, instance: string, box: Box): TicketKeys {
  const { revision, software, folder, socket, servers, epochs } = config;
  const secrets = new Map(epochs.map(({ number, sealed }) => [number, openTicketSecret(box, sealed)]));
  const keys = ticketKeysOf(
    instance,
    servers,
    epochs.map((each) => each.number),
  ).flatMap(({ server, epoch }) => {
    const secret = secrets.get(epoch);
    return secret ? [{ name: ticketName(secret, server), secret, epoch: BigInt(epoch), server }] : [];
  });
  return create(TicketKeysSchema, { revision: BigInt(revision), software, folder, socket, keys });
}
