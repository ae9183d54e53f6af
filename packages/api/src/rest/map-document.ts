import {
  type AddressMap,
  addressMap,
  type MapFormat,
  writeMapCompact,
  writeMapJson,
  writeMapYaml,
} from "@fairlead/domain/address-map";
import type { MapHead } from "@fairlead/services";
import { stateOf } from "../live/map-hub.ts";
import type { RestDocument, Written } from "./rest-document.ts";

/** The answer of the procedures that read a map: the map, and an identifier of its state. */
export type MapAnswer = { state: string; map: AddressMap };

export function mapAnswer({ head, map }: { head: MapHead; map: AddressMap }): MapAnswer {
  return { state: `${stateOf(head)}-${head.id}`, map };
}

const json = "application/json";
const yaml = "application/yaml";
const yamlTypes = [yaml, "application/x-yaml", "text/yaml"] as const;

/** An address map, as JSON unless the client accepts YAML. */
export const mapDocument: RestDocument = { schema: addressMap, types: [json, ...yamlTypes], write };
/** The same at the path that ends in .yaml. */
export const yamlMapDocument: RestDocument = { schema: addressMap, types: [...yamlTypes], write };

const writers: Record<MapFormat, (map: AddressMap) => string> = {
  json: writeMapJson,
  yaml: writeMapYaml,
  compact: writeMapCompact,
};

/** Many clients wait for the same map, so its text is cached for as long as its entries are. */
const texts = new WeakMap<AddressMap["entries"], Map<string, string>>();

function write(answer: unknown, wanted: { type: string; format: string | null }): Written {
  // Only the procedures that name this document return this type.
  const { state, map } = answer as MapAnswer;
  const form = formOf(wanted);
  const type = form === "json" ? json : wanted.type === json ? yaml : wanted.type;
  return { text: textOf(map, form), type, tag: `"${state}-${form}"` };
}

function formOf({ type, format }: { type: string; format: string | null }): MapFormat {
  if (format === "json" || format === "yaml" || format === "compact") return format;
  return type === json ? "json" : "yaml";
}

function textOf(map: AddressMap, form: MapFormat): string {
  const key = `${form} ${map.observedAt?.getTime() ?? ""}`;
  const kept = texts.get(map.entries) ?? new Map<string, string>();
  const text = kept.get(key) ?? writers[form](map);
  // The age in the map changes with every observation; texts of older ones are useless.
  if (kept.size > 8) kept.clear();
  kept.set(key, text);
  texts.set(map.entries, kept);
  return text;
}
