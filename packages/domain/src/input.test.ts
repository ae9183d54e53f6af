import { describe, expect, it } from "vitest";
import { z } from "zod";
import { emailAddress, personName } from "./access/member.ts";
import { createCluster } from "./cluster/index.ts";
import { listExposures } from "./exposure/index.ts";
import { moment } from "./moment.ts";
import { updateNode } from "./node/index.ts";
import { plainText } from "./plain-text.ts";

describe("text input", () => {
  it.each([
    ["Grüße aus Köln 🙂", true],
    ["tab\there", false],
    ["two\nlines", false],
    ["nul\u0000", false],
    ["\u0085", false],
    ["עברית", true],
    ["ana\u061c", false],
    ["\u200eana", false],
    ["an\u200fa", false],
    ["an\u202aa", false],
    ["an\u202ea", false],
    ["an\u2066a", false],
    ["an\u2069a", false],
    ["at the end\n", false],
    ["x".repeat(21), false],
    [`x${" ".repeat(20)}`, false],
  ])("%j", (text, ok) => {
    expect(plainText(20).safeParse(text).success).toBe(ok);
  });

  it("is trimmed", () => {
    expect(plainText(20).parse(" Köln ")).toBe("Köln");
  });

  it("has a pattern that means the same in JSON Schema, where characters are code points", () => {
    const pattern = new RegExp(z.toJSONSchema(plainText(20)).pattern ?? "", "u");
    expect(pattern.test("Grüße 🙂")).toBe(true);
    expect(pattern.test("two\nlines")).toBe(false);
  });

  it.each(["\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069"])(
    "has no character that sets the text direction where a person is named: %j",
    (character) => {
      expect(personName.safeParse(`A${character}da`).success).toBe(false);
      for (const email of [`${character}ada@example.com`, `ada@example.com${character}`])
        expect(emailAddress.safeParse(email).success).toBe(false);
    },
  );

  it("is checked in keys and values of labels", () => {
    const spec = { name: "a", kind: "lab" };
    expect(createCluster.safeParse({ ...spec, labels: { tier: "gold" } }).success).toBe(true);
    expect(createCluster.safeParse({ ...spec, labels: { "a\u0000": "x" } }).success).toBe(false);
    expect(createCluster.safeParse({ ...spec, labels: { a: "\u0000" } }).success).toBe(false);
  });
});

it.each([
  ["2026-01-31T12:00:00Z", true],
  ["+275760-09-13T00:00:00.000Z", false],
  ["-000001-01-01T00:00:00.000Z", false],
  ["yesterday", false],
])("a moment is a time that the database can store: %s", (text, ok) => {
  expect(moment.safeParse(text).success).toBe(ok);
});

it("an update of settings needs only the changed fields", () => {
  expect(updateNode.parse({ settings: { sampleIntervalMs: 1_000 } })).toEqual({
    settings: { sampleIntervalMs: 1_000 },
  });
  expect(updateNode.parse({})).toEqual({});
});

it("a filter may be given once or several times", () => {
  expect(listExposures.parse({ phase: "failed" }).phase).toEqual(["failed"]);
  expect(listExposures.parse({ phase: ["failed", "serving"] }).phase).toEqual(["failed", "serving"]);
});
