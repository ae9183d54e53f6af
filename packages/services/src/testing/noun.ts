import type { Direction, Page } from "@fairlead/domain";
import type { ServiceContext } from "../context.ts";

export type ListQuery = {
  sort: string;
  direction: Direction;
  limit: number;
  cursor?: string;
  offset?: number;
  search?: string;
};
type ListSchema = { parse: (input: unknown) => unknown; shape: { sort: { unwrap(): { options: readonly string[] } } } };

/** A noun lets one test work with every kind of object: create some, find them, change one. */
export type Noun = {
  /** The prefix of the created objects' names, before their number. */
  letter: string;
  /** prepare creates what the objects need; make adds one with the given number in its name and returns its id. */
  prepare(ctx: ServiceContext): Promise<(n: number) => Promise<string>>;
  list: { sorts: readonly string[]; run(ctx: ServiceContext, query: ListQuery): Promise<Page<{ id: string }>> };
  get?: (ctx: ServiceContext, id: string) => Promise<object>;
  /** Verbs that change the object, by the action in their audit entry. */
  change?: Record<string, (ctx: ServiceContext, id: string, expectedGeneration?: number) => Promise<unknown>>;
  /** An update of the first object to its current values. */
  changeNothing?: (ctx: ServiceContext, id: string) => Promise<unknown>;
  /** The object has a generation, so that a change may name the one it was based on. */
  isGuarded?: boolean;
};

/** list runs a list verb with a query parsed by its own schema. */
export function list<Input>(
  schema: ListSchema,
  verb: (ctx: ServiceContext, input: Input) => Promise<Page<{ id: string }>>,
): Noun["list"] {
  return {
    sorts: schema.shape.sort.unwrap().options,
    run: (ctx, query) => verb(ctx, schema.parse(query) as Input),
  };
}
