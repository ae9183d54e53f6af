import type { SealedTicketEpoch } from "@fairlead/domain/load-balancer";
import { openTicketSecret, type SecretBox, ticketName } from "@fairlead/services/gateway";

type Epoch = Pick<SealedTicketEpoch, "sealed" | "isMark">;

const defaultMost = 50_000;

/**
 * TicketNameCache derives names of ticket keys, each once: all configs of an exposure's agents have the same ones, and are sent
 * again with each change. A sealed secret is unique, so it identifies its epoch. Only names are kept, which reveal nothing.
 */
export class TicketNameCache {
  readonly #most: number;
  /** By the sealed secret and whether they are marks, then by the server; the oldest secret first. */
  readonly #names = new Map<string, Map<string, Uint8Array>>();
  #size = 0;

  constructor(most = defaultMost) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  /** of returns a function that names the key of a server. It opens the secret when the first name isn't known. */
  of({ sealed, isMark }: Epoch, box: Pick<SecretBox, "open">): (server: string) => Uint8Array {
    const key = isMark ? `${sealed} mark` : sealed;
    let secret: Buffer | undefined;
    return (server) => {
      const known = this.#names.get(key)?.get(server);
      if (known) return known;
      secret ??= openTicketSecret(box, sealed);
      const name = ticketName(secret, server, { isMark: isMark === true });
      this.#put(key, server, name);
      return name;
    };
  }

  #put(key: string, server: string, name: Uint8Array): void {
    for (const [oldest, names] of this.#names) {
      if (this.#size < this.#most) break;
      this.#names.delete(oldest);
      this.#size -= names.size;
    }
    const names = this.#names.get(key) ?? new Map<string, Uint8Array>();
    this.#names.set(key, names.set(server, name));
    this.#size++;
  }
}
