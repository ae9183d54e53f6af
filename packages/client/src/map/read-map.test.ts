import { expect, it } from "vitest";
import { aMap, oneInstance } from "../testing/maps.ts";
import { readMap } from "./read-map.ts";

const served = (change: object = {}) => JSON.parse(JSON.stringify({ ...aMap(1), ...change })) as unknown;
const withEntry = (change: object) => served({ entries: [{ ...oneInstance(5), ...change }] });
const withPort = (change: object) =>
  withEntry({ ports: [{ name: "a", protocol: "tcp", internal: 1, external: 2, ...change }] });

it("reads what the control plane serves", () => {
  expect(readMap(served(), 100)).toEqual(aMap(1));
});

it("reads the server name of an entry, in canonical form", () => {
  const { entries } = readMap(withEntry({ serverName: "Grid-5.Example.COM" }), 100);
  expect(entries[0]?.serverName).toBe("grid-5.example.com");
});

it("drops unknown fields, and accepts missing optional ones", () => {
  const bare = {
    instance: "a",
    internalAddress: "FD00:0::1",
    externalAddress: "",
    ports: [{ internal: 1, external: 2 }],
  };
  expect(readMap(served({ entries: [{ ...bare, colour: "red" }] }), 100).entries).toEqual([
    {
      ...{ instance: "a", pod: null, node: null, internalAddress: "fd00::1", externalAddress: null },
      ports: [{ name: null, protocol: "tcp", internal: 1, external: 2 }],
      ...{ ready: false, since: null, generation: 0 },
    },
  ]);
});

it.each([
  ["no object", [], "the map is not an object"],
  ["no entries", served({ entries: {} }), "entries is not a list"],
  ["no generation", served({ generation: "7" }), "generation is not an integer"],
  ["a negative generation", served({ generation: -1 }), "generation is not an integer"],
  ["an entry of null", served({ entries: [null] }), "entries[0] is not an object"],
  ["an entry without a name", withEntry({ instance: "" }), "entries[0].instance is not a string"],
  ["a command as an address", withEntry({ externalAddress: "$(id)" }), "entries[0].externalAddress is not an address"],
  ["a server name that is none", withEntry({ serverName: "a b" }), "entries[0].serverName is not an address or a name"],
  ["a line break in a name", withEntry({ internalAddress: "a\nb" }), "entries[0].internalAddress is not an address"],
  ["ports of another kind", withEntry({ ports: "x" }), "entries[0].ports is not a list"],
  ["port 0", withPort({ internal: 0 }), "entries[0].ports[0].internal is not a port"],
  ["half a port", withPort({ external: 1.5 }), "entries[0].ports[0].external is not a port"],
  ["a port that is text", withPort({ external: "80" }), "entries[0].ports[0].external is not a port"],
])("rejects %s and names the field", (_, value, message) => {
  expect(() => readMap(value, 100)).toThrow(message);
});

it("rejects more ports than allowed", () => {
  expect(() => readMap(served({ entries: [oneInstance(1), oneInstance(2)] }), 1)).toThrow("maxEnds is 1");
});
