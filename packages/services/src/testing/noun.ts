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

/** A noun is what one test can do to every kind of object: make some, find them, change one. */
export type Noun = {
  /** What the names of made objects begin with, before their number. */
  letter: string;
  /** prepare makes what the objects need; make adds one with the given number in its name and answers its id. */
  prepare(ctx: ServiceContext): Promise<(n: number) => Promise<string>>;
  list: { sorts: readonly string[]; run(ctx: ServiceContext, query: ListQuery): Promise<Page<{ id: string }>> };
  get?: (ctx: ServiceContext, id: string) => Promise<object>;
  /** Verbs that change the object, with the action that their audit entry names. */
  change?: Record<string, (ctx: ServiceContext, id: string, expectedGeneration?: number) => Promise<unknown>>;
  /** A change that asks of the first that was made what it is already. */
  changeNothing?: (ctx: ServiceContext, id: string) => Promise<unknown>;
  /** The object has a generation, so that a change may name the one it was based on. */
  isGuarded?: boolean;
};

/** list runs a verb of lists with what its own schema makes of a query. */
export function list<Input>(
  schema: ListSchema,
  verb: (ctx: ServiceContext, input: Input) => Promise<Page<{ id: string }>>,
): Noun["list"] {
  return {
    sorts: schema.shape.sort.unwrap().options,
    run: (ctx, query) => verb(ctx, schema.parse(query) as Input),
  };
}
