import { volatile } from "@fairlead/domain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { appRouter } from "../root.ts";
import { type JsonSchema, resolve, toJsonSchema } from "./json-schema.ts";
import { compileOperations } from "./operation.ts";
import { findVolatileFields, withoutVolatile } from "./volatile-fields.ts";

const part = z.object({ name: z.string(), load: volatile(z.number().describe("Its load.")) }).meta({ id: "Part" });
const whole = z.object({
  at: volatile(z.date().nullable()),
  labels: z.record(z.string(), z.string()),
  parts: z.array(part),
  main: part.nullable(),
});

describe("volatile fields", () => {
  it("are found in lists, references and nullable objects", () => {
    const fields = { load: true };
    expect(findVolatileFields(toJsonSchema(whole, "output"))).toEqual({ at: true, parts: fields, main: fields });
    expect(findVolatileFields(toJsonSchema(z.object({ name: z.string() }), "output"))).toBeNull();
  });

  it("are left out where the schema has them, not where a user chose the same name", () => {
    const fields = findVolatileFields(toJsonSchema(whole, "output")) ?? {};
    const value = { at: new Date(), labels: { at: "home" }, parts: [{ name: "a", load: 1 }], main: null };
    expect(withoutVolatile(value, fields)).toEqual({ labels: { at: "home" }, parts: [{ name: "a" }], main: null });
  });
});

describe("volatile fields of variants", () => {
  const variants = (...own: z.ZodRawShape[]) =>
    toJsonSchema(z.object({ is: z.union(own.map((shape) => z.object(shape))) }), "output");
  const [load, seen] = [volatile(z.number()), volatile(z.date())];

  it("are merged at every depth", () => {
    const found = findVolatileFields(
      variants({ parts: z.array(z.object({ load })) }, { parts: z.array(z.object({ seen })) }),
    );
    expect(found).toEqual({ is: { parts: { load: true, seen: true } } });
  });

  it("are rejected if another variant has the same field as a part of its state", () => {
    expect(() => findVolatileFields(variants({ load }, { load: z.number() }))).toThrow(
      "load is volatile in one variant only",
    );
    expect(findVolatileFields(variants({ load }, { load }))).toEqual({ is: { load: true } });
  });
});

/** Fields that change with each report, observation or use, though nothing else does. */
const changing = ["observedAt", "lastReportAt", "lastUsedAt", "liveConnections", "messagesIn", "cpuUtilizationRatio"];

it("every operation marks those of its answer", () => {
  const operations = compileOperations(appRouter).filter(({ document }) => !document);
  const answers = operations.map(({ id, outputSchema }) => ({ id, schema: toJsonSchema(outputSchema, "output") }));
  expect(answers.filter(({ schema }) => fieldsOf(schema).size > 0).map(({ id }) => id)).toContain("exposure.get");
  for (const { id, schema } of answers)
    for (const [name, isMarked] of fieldsOf(schema)) expect(isMarked, `${id}: ${name} is not marked`).toBe(true);
});

function fieldsOf(schema: JsonSchema): Map<string, boolean> {
  const objects = [schema, ...Object.values(schema.$defs ?? {})].map((each) => resolve(each, schema.$defs ?? {}));
  const properties = objects.flatMap((each) => Object.entries(each.properties ?? {}));
  return new Map(
    properties.flatMap(([name, property]): [string, boolean][] =>
      changing.includes(name) ? [[name, property["x-volatile"] === true]] : [],
    ),
  );
}
