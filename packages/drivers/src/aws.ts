// Apart from the main entry, so that only who asks AWS loads its SDK.
export { awsCloudRoute } from "./cloud-route/aws/aws-cloud-route.ts";
