import { findEmbedded } from "@fairlead/launcher";
import pg from "pg";
import { dataFolder } from "./product.ts";

export async function query(text: string, values: string[] = []): Promise<void> {
  await select(text, values);
}

export async function select<Row extends pg.QueryResultRow>(text: string, values: string[] = []): Promise<Row[]> {
  const client = await connect();
  try {
    const { rows } = await client.query<Row>(text, values);
    return rows;
  } finally {
    await client.end();
  }
}

/** holdTable locks a table, so that its readers wait until the returned function is called. */
export async function holdTable(table: string): Promise<() => Promise<void>> {
  const client = await connect();
  await client.query(`BEGIN; LOCK TABLE ${pg.escapeIdentifier(table)} IN ACCESS EXCLUSIVE MODE`);
  return () => client.end();
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: findEmbedded(dataFolder) ?? "" });
  await client.connect();
  return client;
}
