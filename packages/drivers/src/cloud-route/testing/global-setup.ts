import { startEc2Emulator } from "./ec2-emulator.ts";

/** Vitest runs this once, before all files. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const emulator = await startEc2Emulator();
  process.env.FAIRLEAD_TEST_EC2 = emulator.url;
  return emulator.stop;
}
