import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { comparisonTable } from "./table.ts";

/** The guide with the table. */
export const guide = path.resolve(import.meta.dirname, "../../docs/guides/costs.md");
export const place = /(?<=<!-- comparison -->\n)[\s\S]*?(?=\n<!-- \/comparison -->)/;

// `node tools/cost-comparison/write.ts` updates the table after prices or rules have changed.
if (import.meta.main) writeFileSync(guide, readFileSync(guide, "utf8").replace(place, comparisonTable()));
