import path from "node:path";
import { defineConfig } from "prisma/config";

// The CLI wants a native engine that it downloads. The same engine is published to npm as WebAssembly;
// tools/schema-engine.mjs runs that one, so that migrations can be written anywhere npm works.
if (process.platform !== "win32") {
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.join(import.meta.dirname, "tools/schema-engine.mjs");
}

export default defineConfig({
  schema: "prisma/schema",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL ?? "postgresql://unset" },
});
