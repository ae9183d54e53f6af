import { startTestServer } from "./server.ts";

/** Vitest runs this once, before all files. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const server = await startTestServer();
  process.env.FAIRLEAD_TEST_SERVER = server.url;
  return server.stop;
}
