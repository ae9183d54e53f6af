import {
  type MetricFacts,
  type MetricLevel,
  type MetricName,
  type MetricSource,
  metricNames,
  metrics,
} from "./metrics.ts";

/** The metrics that a subject of one level may have. */
export type MetricAt<Level extends MetricLevel> = {
  [Name in MetricName]: Level extends (typeof metrics)[Name]["levels"][number] ? Name : never;
}[MetricName];

/** metricsAt lists the metrics that a subject of one level may have. */
export function metricsAt<Level extends MetricLevel>(level: Level): MetricAt<Level>[] {
  const isAt = (name: MetricName): name is MetricAt<Level> => {
    const { levels }: MetricFacts = metrics[name];
    return levels.includes(level);
  };
  return metricNames.filter(isAt);
}

/** The metrics that one source reports. */
export type MetricFrom<Source extends MetricSource> = {
  [Name in MetricName]: Source extends (typeof metrics)[Name]["reportedBy"][number] ? Name : never;
}[MetricName];

/** metricsFrom lists the metrics that one source reports. */
export function metricsFrom<Source extends MetricSource>(source: Source): MetricFrom<Source>[] {
  const isFrom = (name: MetricName): name is MetricFrom<Source> => {
    const { reportedBy }: MetricFacts = metrics[name];
    return reportedBy.includes(source);
  };
  return metricNames.filter(isFrom);
}
