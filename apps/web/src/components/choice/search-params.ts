import { parseAsJson } from "nuqs/server";
import { readDraft } from "./draft.ts";

/** The draft in the address. */
export const choiceParam = parseAsJson(readDraft);
