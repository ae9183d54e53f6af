import type { CloudMetricsDriver, CloudMetricsFor } from "./cloud-metrics/cloud-metrics.ts";
import type { AwsOptions } from "./cloud-route/aws/aws-cloud-route.ts";
import type { CloudRouteDriver, CloudRouteFor } from "./cloud-route/cloud-route.ts";

// Loading AWS's SDK takes a fifth of the processor time of the controller's start, and many installations never
// call it. So the first call of a driver loads it.

/** awsCloudRoute sets routes and addresses in a VPC of AWS. */
export function awsCloudRoute(options: AwsOptions): CloudRouteFor {
  return (settings, credentials) => {
    const driver = once<CloudRouteDriver>(async () => {
      const { awsCloudRoute: load } = await import("./cloud-route/aws/aws-cloud-route.ts");
      return load(options)(settings, credentials);
    });
    return {
      set: async (desired, signal) => (await driver.get()).set(desired, signal),
      observe: async (ref, signal) => (await driver.get()).observe(ref, signal),
      checked: async (ref, signal) => (await driver.get()).checked(ref, signal),
      close: driver.close,
    };
  };
}

/** awsCloudMetrics reads the metrics of load balancers from CloudWatch. */
export function awsCloudMetrics(options: AwsOptions): CloudMetricsFor {
  return (settings, credentials) => {
    const driver = once<CloudMetricsDriver>(async () => {
      const { awsCloudMetrics: load } = await import("./cloud-metrics/aws/aws-cloud-metrics.ts");
      return load(options)(settings, credentials);
    });
    return {
      find: async (addresses, signal) => (await driver.get()).find(addresses, signal),
      read: async (balancers, span, signal) => (await driver.get()).read(balancers, span, signal),
      close: driver.close,
    };
  };
}

/** once opens at the first call. The driver keeps connections, so all calls share it. */
function once<T extends { close?(): void }>(open: () => Promise<T>): { get: () => Promise<T>; close: () => void } {
  let opened: Promise<T> | undefined;
  return {
    get() {
      opened ??= open();
      return opened;
    },
    close() {
      opened?.then(
        (driver) => driver.close?.(),
        () => {}, // What never opened has no connections; its caller has the error.
      );
    },
  };
}
