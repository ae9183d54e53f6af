import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { MapError } from "../errors.ts";
import { networksOf } from "../map/address.ts";
import type { AddressMap } from "../map/address-map.ts";

/** Whether an internal address must be mapped. A client inside the network needs no mapping. */
export type NeedsMapping = "always" | "never" | "auto" | ((host: string, port: number) => boolean);

/** Probe returns whether an internal address is reachable from this process. */
export type Probe = (host: string, port: number, timeoutMs: number) => Promise<boolean>;

export type NetworkLocationOptions = {
  needsMapping: NeedsMapping;
  internalNetworks?: readonly string[] | undefined;
  probe?: Probe | undefined;
  now: () => number;
  ownAddresses?: () => string[];
};

const interfacesIntervalMs = 10_000;
const probeMs = 1_000;
const maxProbes = 3;

/**
 * NetworkLocation determines whether this process is inside the internal network. With `auto` it is inside if one of its own
 * addresses is in `internalNetworks`; if none are set, if an internal address of the map is reachable. Until that is
 * known, it is outside. Another machine with the same private address can fool a probe, so prefer networks.
 */
export class NetworkLocation {
  readonly #options: NetworkLocationOptions;
  readonly #isInternal: ((address: string) => boolean) | null = null;
  #isInside = false;
  #interfacesReadAt = Number.NEGATIVE_INFINITY;
  #probed = "";

  constructor(options: NetworkLocationOptions) {
    this.#options = options;
    if (!options.internalNetworks) return;
    const networks = networksOf(options.internalNetworks);
    if ("invalid" in networks)
      throw new MapError(
        "invalid-option",
        `internalNetworks: ${JSON.stringify(networks.invalid)} is not a network: expected a form like 10.0.0.0/8.`,
      );
    this.#isInternal = (address) => networks.list.check(address, address.includes(":") ? "ipv6" : "ipv4");
  }

  needsMapping(host: string, port: number): boolean {
    const { needsMapping } = this.#options;
    if (typeof needsMapping === "function") return needsMapping(host, port);
    if (needsMapping !== "auto") return needsMapping === "always";
    if (this.#isInternal) this.#readInterfaces(this.#isInternal);
    return !this.#isInside;
  }

  /** probe tests the addresses of a map if they are new. It never throws. */
  async probe(map: AddressMap): Promise<void> {
    if (this.#options.needsMapping !== "auto" || this.#isInternal) return;
    const candidates = map.entries
      .flatMap(({ internalAddress, ports, ready }) => {
        const port = ports.find((each) => each.protocol === "tcp");
        return ready && port ? [{ host: internalAddress, port: port.internal }] : [];
      })
      .slice(0, maxProbes);
    const key = JSON.stringify(candidates);
    if (key === this.#probed) return;
    const { probe = connects } = this.#options;
    const answers = await Promise.all(
      candidates.map(({ host, port }) => probe(host, port, probeMs).catch(() => false)),
    );
    this.#probed = key;
    this.#isInside = answers.includes(true);
  }

  #readInterfaces(isInternal: (address: string) => boolean): void {
    const now = this.#options.now();
    if (now - this.#interfacesReadAt < interfacesIntervalMs) return;
    this.#interfacesReadAt = now;
    this.#isInside = (this.#options.ownAddresses ?? interfaceAddresses)().some(isInternal);
  }
}

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));
}

const connects: Probe = (host, port, timeoutMs) =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (answers: boolean) => () => {
      resolve(answers);
      socket.destroy();
    };
    socket.once("connect", end(true)).once("timeout", end(false)).once("error", end(false));
  });
