import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { MapError } from "../errors.ts";
import { networksOf } from "../map/address.ts";
import type { AddressMap } from "../map/address-map.ts";

/** Whether an internal address has to be mapped: for a client inside the network it hasn't. */
export type NeedsMapping = "always" | "never" | "auto" | ((host: string, port: number) => boolean);

/** Probe says whether an internal address answers from here. */
export type Probe = (host: string, port: number, timeoutMs: number) => Promise<boolean>;

export type StandpointOptions = {
  needsMapping: NeedsMapping;
  internalNetworks?: readonly string[] | undefined;
  probe?: Probe | undefined;
  now: () => number;
  ownAddresses?: () => string[];
};

const lookAgainMs = 10_000;
const probeMs = 1_000;
const mostProbes = 3;

/**
 * Standpoint knows from where this process looks. With `auto` it is inside if it has an address of its own in one of the
 * internal networks; where no networks are given, if an internal address of the map answers. Until that is known it is
 * outside. A probe can be fooled by another machine of the same private address, so networks are the better answer.
 */
export class Standpoint {
  readonly #options: StandpointOptions;
  readonly #isInternal: ((address: string) => boolean) | null = null;
  #isInside = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #probed = "";

  constructor(options: StandpointOptions) {
    this.#options = options;
    if (!options.internalNetworks) return;
    const networks = networksOf(options.internalNetworks);
    if ("wrong" in networks)
      throw new MapError(
        "invalid-option",
        `internalNetworks: ${JSON.stringify(networks.wrong)} is no network; write it as 10.0.0.0/8.`,
      );
    this.#isInternal = (address) => networks.list.check(address, address.includes(":") ? "ipv6" : "ipv4");
  }

  needsMapping(host: string, port: number): boolean {
    const { needsMapping } = this.#options;
    if (typeof needsMapping === "function") return needsMapping(host, port);
    if (needsMapping !== "auto") return needsMapping === "always";
    if (this.#isInternal) this.#lookAtInterfaces(this.#isInternal);
    return !this.#isInside;
  }

  /** learn probes a map whose internal addresses are new. It never throws. */
  async learn(map: AddressMap): Promise<void> {
    if (this.#options.needsMapping !== "auto" || this.#isInternal) return;
    const candidates = map.entries
      .flatMap(({ internalAddress, ports, ready }) => {
        const port = ports.find((each) => each.protocol === "tcp");
        return ready && port ? [{ host: internalAddress, port: port.internal }] : [];
      })
      .slice(0, mostProbes);
    const key = JSON.stringify(candidates);
    if (key === this.#probed) return;
    const { probe = connects } = this.#options;
    const answers = await Promise.all(
      candidates.map(({ host, port }) => probe(host, port, probeMs).catch(() => false)),
    );
    this.#probed = key;
    this.#isInside = answers.includes(true);
  }

  #lookAtInterfaces(isInternal: (address: string) => boolean): void {
    const now = this.#options.now();
    if (now - this.#lookedAt < lookAgainMs) return;
    this.#lookedAt = now;
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
