import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { secretColumns } from "./secret-columns.ts";

const schemaFolder = path.resolve(import.meta.dirname, "../../../prisma/schema");
const secretName = /sealed|credentials|password|secret|token|hash|encrypted/i;
/** These hold secrets too, under names of another program's schema. */
const alsoSecret = ["ssoProvider.oidcConfig", "ssoProvider.samlConfig", "verification.value"];

/** The columns that hold text or data, as model.column. Relations and times hold no secret. */
function columns(): string[] {
  const files = readdirSync(schemaFolder).map((name) => readFileSync(path.join(schemaFolder, name), "utf8"));
  const models = [...files.join("\n").matchAll(/^model (\w+) \{\n(.*?)^\}/gms)];
  return models.flatMap(([, model = "", body = ""]) =>
    [...body.matchAll(/^ {2}(\w+) +(?:String|Json|Bytes)\b/gm)].map(
      ([, column]) => `${model.charAt(0).toLowerCase()}${model.slice(1)}.${column}`,
    ),
  );
}

it("omits every column of the schema that holds a secret, and no other", () => {
  const all = columns();
  expect(all.length).toBeGreaterThan(100);
  const secret = all.filter((each) => secretName.test(each.split(".")[1] ?? "") || alsoSecret.includes(each));
  const omitted = Object.entries(secretColumns).flatMap(([model, names]) =>
    Object.keys(names).map((name) => `${model}.${name}`),
  );
  expect(omitted.sort()).toEqual(secret.sort());
});
