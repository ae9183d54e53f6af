export { type Db, openDb } from "./client.ts";
export { Prisma } from "./generated/prisma/client.ts";
export type * from "./generated/prisma/models.ts";
export { type Listener, listen } from "./listen.ts";
export { MigrationRefused, migrate } from "./migrate.ts";
export { selectOne } from "./select-one.sql.ts";
export { type PageQuery, selectPage } from "./select-page.sql.ts";
export { nestedErrors, sqlStateOf } from "./sql-state.ts";
export { inTransaction, type Tx } from "./transaction.ts";
