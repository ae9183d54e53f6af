"use client";
import { type EstimateAsked, providerNames } from "@fairlead/domain";
import { count, countOf } from "@/components/words/numbers.ts";
import { trafficText } from "./traffic-text.ts";
import { constraintNames } from "./words.ts";

/** What was asked, as sentences: on paper, where there is no form. */
export function AskedSummary({ asked, pricesOf }: { asked: EstimateAsked; pricesOf: string }) {
  return (
    <p className="hidden text-sm print:block">
      {describeAsked(asked)} Prices as known on {pricesOf.slice(0, 10)}.
    </p>
  );
}

export function describeAsked({ profile, providers, regions, constraints }: EstimateAsked): string {
  const { peakMbps, requestsPerSecond, activeConnections, connectionDurationSeconds } = profile;
  const parts = [
    `${trafficText(profile.averageMbps)} on average${peakMbps ? `, ${trafficText(peakMbps)} at its peak` : ""}`,
    `${profile.protocol.toUpperCase()}${{ none: "", passthrough: ", TLS passed through", terminate: ", TLS ends at the balancer" }[profile.tls]}`,
    `${count(profile.newConnectionsPerSecond)} new connections a second${connectionDurationSeconds === undefined ? "" : ` of ${count(connectionDurationSeconds)} s`}`,
    ...(activeConnections === undefined ? [] : [`${count(activeConnections)} live at once`]),
    ...(requestsPerSecond === undefined
      ? []
      : [`${count(requestsPerSecond)} requests a second with ${countOf(profile.rulesPerRequest, "rule")}`]),
    `${profile.exposedAs === "one" ? "one balancer for" : "a balancer for each of"} ${countOf(profile.replicas, "replica")}, ${countOf(profile.listeners, "listener")}`,
    countOf(profile.zones, "zone"),
    ...(profile.addedMs === undefined ? [] : [`${count(profile.addedMs)} ms added at most`]),
    `${profile.hoursPerMonth} hours a month`,
    `${Math.round(profile.responseShare * 100)} % sent out, ${Math.round(profile.internetShare * 100)} % of that to the internet`,
  ];
  const places = [...providers.map((each) => providerNames[each]), ...regions];
  const where = places.length > 0 ? ` At ${places.join(", ")}.` : "";
  const must =
    constraints.length > 0 ? ` It must have: ${constraints.map((each) => constraintNames[each]).join("; ")}.` : "";
  return `${parts.join("; ")}.${where}${must}`;
}
