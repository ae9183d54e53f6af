import { z } from "zod";
import { metricNames } from "./metrics.ts";

export const metricName = z.enum(metricNames).meta({ id: "MetricName" });
