import { describe, expect, it } from "vitest";
import { publicLookup } from "./public-lookup.ts";

describe("a name lookup", () => {
  const isPublic = (address: string) => !/^(127\.|169\.254\.|::1$)/.test(address);
  const lookup = publicLookup(isPublic);
  const find = (host: string, all: boolean) =>
    new Promise((resolve) => lookup(host, { all }, (error, found) => resolve(error ?? found)));

  it.each([true, false])("returns no private addresses (all: %s)", async (all) => {
    expect(await find("localhost", all)).toMatchObject({ name: "NotPublic" });
    expect(await find("169.254.169.254", all)).toMatchObject({ name: "NotPublic" });
  });

  it("returns public addresses", async () => {
    expect(await find("52.94.133.131", false)).toBe("52.94.133.131");
    expect(await find("52.94.133.131", true)).toEqual([{ address: "52.94.133.131", family: 4 }]);
  });
});
