import { describe, expect, it } from "vitest";
import { compileOperations } from "../rest/operation.ts";
import { appRouter } from "../root.ts";
import { openApiDocument } from "./document.ts";
import { tagDescriptions } from "./tags.ts";

type Answer = { $ref?: string; headers?: Record<string, unknown>; content?: Record<string, unknown> };
type Described = {
  operationId: string;
  summary: string;
  description: string;
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Record<string, { schema: object; example?: object }> };
  responses: Record<string, Answer>;
};
type Schema = { pattern?: string; items?: { pattern?: string } };
type Document = { paths: Record<string, Record<string, Described>>; components: { schemas: Record<string, object> } };

const document = openApiDocument() as Document;
const text = JSON.stringify(document);
const operations = compileOperations(appRouter);
const of = (operation: { path: string; method: string }): Described => {
  const found = document.paths[operation.path]?.[operation.method.toLowerCase()];
  if (!found) throw new Error(`${operation.method} ${operation.path} is not described`);
  return found;
};

function queryOf(path: string): Record<string, { type?: string; pattern?: string }> {
  const parameters = (document.paths[path]?.get?.parameters ?? []) as { name: string; schema?: object }[];
  return Object.fromEntries(parameters.map(({ name, schema = {} }) => [name, schema]));
}

function resolves(ref: string): boolean {
  let value: unknown = document;
  for (const part of ref.replace("#/", "").split("/")) value = (value as Record<string, unknown> | undefined)?.[part];
  return value !== undefined;
}

describe("the OpenAPI document", () => {
  it("has no dangling reference", () => {
    const refs = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(refs.length).toBeGreaterThan(100);
    expect([...new Set(refs)].filter((ref) => !resolves(ref))).toEqual([]);
  });

  it("has a name of our own for every schema", () => {
    expect(Object.keys(document.components.schemas).filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([]);
    expect(text).not.toContain("$defs");
  });

  it("names each operation and each path once", () => {
    expect(new Set(operations.map((each) => each.id)).size).toBe(operations.length);
    expect(new Set(operations.map((each) => `${each.method} ${each.path}`)).size).toBe(operations.length);
  });

  it("names the schema of an object whose defaults make input and output differ", () => {
    const { Workload, WorkloadInput } = document.components.schemas as Record<string, { required: string[] }>;
    expect([Workload?.required, WorkloadInput?.required]).toEqual([["namespace", "kind"], ["kind"]]);
  });

  it("names the property by which the variants of each union differ", () => {
    type Union = { oneOf?: object[]; discriminator?: { mapping: Record<string, string> } };
    const unions = Object.entries(document.components.schemas as Record<string, Union>).filter(
      ([, { oneOf }]) => oneOf,
    );
    expect(unions.map(([name]) => name)).toEqual(expect.arrayContaining(["CloudRoute", "HealthCheck", "Strategy"]));
    for (const [name, { oneOf, discriminator }] of unions)
      expect([name, Object.keys(discriminator?.mapping ?? {}).length]).toEqual([name, oneOf?.length]);
    const refs = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map((match) => match[1] ?? "");
    expect(refs.filter((name) => !(name in document.components.schemas))).toEqual([]);
  });

  it("marks the unions that may be null, which clients for Java reject otherwise", () => {
    const schemas = Object.entries(document.components.schemas as Record<string, { "x-nullable"?: boolean }>);
    const marked = schemas.filter(([, schema]) => schema["x-nullable"]).map(([name]) => name);
    expect(marked).toEqual(["CloudRoute", "HealthCheck", "HealthCheckInput", "UpdateCloudRoute"]);
  });

  it("has one pattern for texts in several notations, and numbers of double precision", () => {
    const { mentions } = queryOf("/events");
    expect(mentions?.type).toBe("string");
    const pattern = new RegExp(mentions?.pattern ?? "");
    for (const each of ["192.0.2.1", "2001:db8::1", "192.0.2.0/24", "2001:db8::/64"]) expect(each).toMatch(pattern);
    for (const each of ["", "192.0.2", "192.0.2.0/33", "example.com"]) expect(each).not.toMatch(pattern);
    expect(text).not.toMatch(/"type":"number"(?!,"format":"double")(?![^{}]*"format":"double")/);
  });

  it("states what a selector, a list without repetition, a community and an email address may be", () => {
    const schemas = document.components.schemas as Record<string, { properties: Record<string, Schema> }>;
    const { Workload, MapAccess, UpdateClusterRouting, CreateInvitation, RouteTableRoute } = schemas;
    expect(Workload?.properties.selector).toMatchObject({ minProperties: 1, maxProperties: 32 });
    for (const list of [
      MapAccess?.properties.keys,
      MapAccess?.properties.networks,
      RouteTableRoute?.properties.routeTables,
    ])
      expect(list).toMatchObject({ uniqueItems: true });
    const community = new RegExp(UpdateClusterRouting?.properties.communities?.items?.pattern ?? "");
    expect(["65021:100", "0:65535", "00001:1"].every((each) => community.test(each))).toBe(true);
    expect(["65536:1", "1:99999", "1"].some((each) => community.test(each))).toBe(false);
    expect("name").not.toMatch(new RegExp(CreateInvitation?.properties.email?.pattern ?? ""));
  });

  it("has enums instead of unions of constants, and no recursive schema, which generators of clients can't read", () => {
    expect(text).not.toMatch(/"(anyOf|oneOf)":\[\{[^}]*"const"/);
    expect(document.components.schemas).toMatchObject({
      JsonValue: { description: "Any JSON value." },
      Offer: { properties: { layer: { type: "integer", enum: [4, 7] } } },
    });
  });

  it("describes each tag once", () => {
    const { tags } = document as unknown as { tags: { name: string; description?: string }[] };
    expect(tags.filter((each) => !each.description?.endsWith("."))).toEqual([]);
    expect(tags.map((each) => each.name)).toEqual(Object.keys(tagDescriptions));
  });

  it("omits fields that only a header carries", () => {
    expect(text).not.toContain("expectedGeneration");
  });
});

describe.each(operations)("$method $path", (operation) => {
  const described = of(operation);
  const { responses } = described;

  it("lists its permissions and its refusals", () => {
    expect(described.summary).toMatch(/^[A-Z].*[^.]$/);
    for (const permission of operation.permissions) expect(described.description).toContain(permission);
    for (const status of ["400", "401", "422", "429", "500", "503"]) expect(responses).toHaveProperty(status);
    expect("406" in responses).toBe(operation.status !== 204);
    expect("412" in responses).toBe(operation.takesGeneration);
    expect("304" in responses).toBe(operation.method === "GET");
    const success = Object.keys(responses).filter((status) => status.startsWith("2"));
    expect(success).toEqual([String(operation.status)]);
  });

  it("describes its headers", () => {
    const headers = Object.keys(responses[operation.status]?.headers ?? {});
    const isReadable = operations.some((each) => each.method === "GET" && each.path === `${operation.path}/{id}`);
    expect(headers.includes("Location")).toBe(operation.status === 201 && isReadable);
    expect(headers.includes("Link")).toBe(operation.isList);
    const requestHeaders = described.parameters.filter((each) => each.in === "header").map((each) => each.name);
    expect(requestHeaders.includes("Idempotency-Key")).toBe(operation.status === 201);
    expect(requestHeaders.includes("If-Match")).toBe(operation.takesGeneration);
  });

  it("has an example body that its own schema accepts", () => {
    expect(described.requestBody !== undefined).toBe(operation.hasBody);
    if (!operation.hasBody) return;
    const inPath = Object.fromEntries(
      Object.entries(operation.pathFields).map(([name, { examples }]) => [name, (examples as string[])[0]]),
    );
    const parsed = operation.inputSchema.safeParse({ ...inPath, ...operation.example });
    expect(parsed.error?.issues ?? []).toEqual([]);
  });
});
