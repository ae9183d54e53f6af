import { expect, it } from "vitest";
import { acceptedServers, mostAcceptedServers, ticketKeysOf } from "./ticket-keys-of.ts";

const spell = (keys: ReturnType<typeof ticketKeysOf>) => keys.map(({ server, epoch }) => `${server}${epoch}`);

it("has a server's own keys first, then those of the others by epoch", () => {
  expect(spell(ticketKeysOf("b", ["c", "b", "a"], [2, 1]))).toEqual(["b2", "b1", "c2", "a2", "c1", "a1"]);
});

it("is limited for many servers, so that each one's keys are accepted by as many", () => {
  const servers = Array.from({ length: 200 }, (_, i) => `web-${i}`);
  const accepted = new Map<string, number>();
  for (const server of servers) {
    const keys = ticketKeysOf(server, servers, [2, 1]);
    expect(keys).toHaveLength(2 + 2 * mostAcceptedServers);
    expect(keys[0]).toEqual({ server, epoch: 2 });
    for (const key of keys.filter((each) => each.epoch === 2 && each.server !== server))
      accepted.set(key.server, (accepted.get(key.server) ?? 0) + 1);
  }
  expect(new Set(accepted.values())).toEqual(new Set([mostAcceptedServers]));
});

it("is the same from the servers that one accepts as from all", () => {
  const servers = Array.from({ length: 200 }, (_, i) => `web-${i}`);
  for (const server of ["web-0", "web-150", "web-99"]) {
    const accepted = acceptedServers(server, servers);
    expect(accepted).toHaveLength(1 + mostAcceptedServers);
    expect(ticketKeysOf(server, accepted, [2, 1])).toEqual(ticketKeysOf(server, servers, [2, 1]));
  }
});
