export { type Emulator, startEc2Emulator } from "./ec2-emulator.ts";
export { createTestVpc, emulatorUrl, type TestVpc, testCredentials } from "./test-vpc.ts";
