import { z } from "zod";
import { subjectKinds } from "./subject-kinds.ts";

/** The kinds of object that tasks, events and the live feed point at. */
export const subjectKind = z.enum(subjectKinds).meta({ id: "SubjectKind" });
export type SubjectKind = z.infer<typeof subjectKind>;
