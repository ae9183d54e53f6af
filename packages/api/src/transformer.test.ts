import { describe, expect, it } from "vitest";
import { transformer } from "./transformer.ts";

const over = (value: unknown) => transformer.deserialize(JSON.parse(JSON.stringify(transformer.serialize(value))));

describe("the transformer", () => {
  it.each([
    null,
    true,
    1.5,
    "text",
    "",
    "\u0001",
    "\u0001d2026-01-01T00:00:00.000Z",
    "\u0001s\u0001",
    new Date(0),
    [],
    {},
    [1, [new Date(1), null]],
    { a: { at: new Date(2), text: "\u0001dx" }, b: [{ at: null }] },
    JSON.parse('{"__proto__": {"at": "x"}, "constructor": 1}'),
  ])("transfers a value unchanged: %j", (value) => {
    expect(over(value)).toEqual(value);
  });

  it("keeps undefined values undefined", () => {
    expect(transformer.deserialize(transformer.serialize(undefined))).toBeUndefined();
    expect(over({ a: undefined, b: 1 })).toEqual({ b: 1 });
  });

  it("never sets a prototype", () => {
    const made = over(JSON.parse('{"__proto__": {"admin": true}}')) as { admin?: boolean };
    expect(made.admin).toBeUndefined();
  });
});
