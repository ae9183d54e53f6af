import { Prisma, type Tx } from "@fairlead/db";
import { notFound } from "@fairlead/domain";

const nouns = {
  cluster: "cluster",
  node: "node",
  agent: "agent",
  exposure: "exposure",
  address_pool: "address pool",
  enrollment_token: "enrolment token",
  experiment: "experiment",
  move: "move",
  member: "member",
  api_key: "API key",
  sso_provider: "identity provider",
  negotiated_price: "negotiated price",
  own_machine: "machine",
  currency_rate: "currency rate",
  budget: "budget",
} as const;

/**
 * lockRow locks a row of this organisation for the rest of the transaction, so that what a verb reads of it next stays
 * true until it commits. "share" lets other transactions lock it too, and keeps it from being changed or deleted. path
 * names the field of the input that the id came from.
 */
export async function lockRow(
  tx: Tx,
  table: keyof typeof nouns,
  organizationId: string,
  id: string,
  options: { mode?: "update" | "share"; path?: string[] } = {},
): Promise<void> {
  const from = Prisma.raw(`"${table}"`);
  const strength = Prisma.raw(options.mode === "share" ? "FOR SHARE" : "FOR UPDATE");
  const rows = await tx.$queryRaw<object[]>`
    SELECT 1 FROM ${from} WHERE id = ${id} AND organization_id = ${organizationId} ${strength}`;
  if (rows.length === 0) throw notFound(nouns[table], id, options.path);
}
