export {
  type AwsFront,
  type FrontAnswer,
  type FrontRequest,
  refuse,
  startAwsFront,
} from "../../cloud-metrics/testing/aws-front.ts";
export {
  createTestBalancers,
  type TestBalancer,
  type TestBalancers,
} from "../../cloud-metrics/testing/test-balancers.ts";
export { type Emulator, startEc2Emulator } from "./ec2-emulator.ts";
export { createTestVpc, emulatorUrl, type TestVpc, testCredentials } from "./test-vpc.ts";
