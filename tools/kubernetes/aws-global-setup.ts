import { provideAwsController } from "./provide.ts";

/** Vitest runs this once, before all files. */
export default async function globalSetup(): Promise<void> {
  process.env.FAIRLEAD_KUBERNETES_AWS_BIN = await provideAwsController();
}
