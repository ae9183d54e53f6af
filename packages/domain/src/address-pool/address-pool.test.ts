import { describe, expect, it } from "vitest";
import { newId } from "../id-text.ts";
import { createAddressPool, updateAddressPool } from "./address-pool.ts";

describe("the note of a pool", () => {
  it("is empty by default, and stays as it is if an update omits it", () => {
    const spec = { clusterId: newId("cluster"), name: "public", prefix: "192.0.2.0/24" };
    expect(createAddressPool.parse(spec)).toEqual({ ...spec, note: "" });
    expect(updateAddressPool.parse({})).toEqual({});
  });

  it.each([
    ["longer than 200 characters", "a".repeat(201)],
    ["of two lines", "the uplink\nask Ana"],
  ])("is rejected if it is %s", (_, note) => {
    expect(updateAddressPool.safeParse({ note }).error?.issues).toMatchObject([{ path: ["note"] }]);
  });
});
