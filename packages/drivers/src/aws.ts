// Apart from the main entry, so that only who asks AWS loads its SDK.
export { awsCloudMetrics } from "./cloud-metrics/aws/aws-cloud-metrics.ts";
export { awsCloudRoute } from "./cloud-route/aws/aws-cloud-route.ts";
