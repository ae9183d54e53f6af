"use client";
import { type Estimate, type EstimateRequest, providers } from "@fairlead/domain/cost";
import { count, countOf } from "@/components/words/numbers.ts";
import { trafficText } from "./traffic-text.ts";
import { constraintNames } from "./words.ts";

/** The inputs as sentences, for print, where there is no form. */
export function InputSummary({ request, dates }: { request: EstimateRequest; dates: Estimate["priceDates"] }) {
  return (
    <p className="hidden text-sm print:block">
      {describeQuery(request)} {dates.oldest ? `Prices from ${dates.oldest} to ${dates.newest}.` : null}
    </p>
  );
}

export function describeQuery({ profile, providers: chosen, regions, constraints }: EstimateRequest): string {
  const { peakMbps, requestsPerSecond, activeConnections, connectionDurationSeconds } = profile;
  const parts = [
    `${trafficText(profile.averageMbps)} on average${peakMbps ? `, ${trafficText(peakMbps)} at its peak` : ""}`,
    `${profile.protocol.toUpperCase()}${{ none: "", passthrough: ", TLS passed through", terminate: ", TLS ends at the balancer" }[profile.tls]}`,
    `${count(profile.newConnectionsPerSecond)} new connections per second${connectionDurationSeconds === undefined ? "" : ` of ${count(connectionDurationSeconds)} s`}`,
    ...(activeConnections === undefined ? [] : [`${count(activeConnections)} live at once`]),
    ...(requestsPerSecond === undefined
      ? []
      : [`${count(requestsPerSecond)} requests per second with ${countOf(profile.rulesPerRequest, "rule")}`]),
    `${profile.exposedAs === "one" ? "one balancer for" : "a balancer for each of"} ${countOf(profile.replicas, "replica")}, ${countOf(profile.listeners, "listener")}`,
    countOf(profile.zones, "zone"),
    ...(profile.addedMs === undefined ? [] : [`added latency of at most ${count(profile.addedMs)} ms (p99)`]),
    `${profile.hoursPerMonth} hours per month`,
    `${Math.round(profile.responseShare * 100)} % outbound, ${Math.round(profile.internetShare * 100)} % of that to the internet`,
  ];
  const places = [...chosen.map((each) => providers[each].title), ...regions];
  const where = places.length > 0 ? ` At ${places.join(", ")}.` : "";
  const must =
    constraints.length > 0 ? ` It must have: ${constraints.map((each) => constraintNames[each]).join("; ")}.` : "";
  return `${parts.join("; ")}.${where}${must}`;
}
