"use client";
import type { CostComparison } from "@fairlead/domain/cost";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { shareText } from "@/components/cost/share-text.ts";
import { Select } from "@/components/ui/form/select.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import type { SetParams } from "./profile-form.tsx";
import { paramsOf } from "./search-params.ts";

const days = 7;
const maxListed = 200;

/** Fills in the measured traffic of an exposure, and shows how much of the time was measured. */
export function FromExposure({ setParams }: { setParams: SetParams }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const id = useId();
  const [chosen, setChosen] = useState("");
  const [message, setMessage] = useState("");
  const exposures = useQuery(trpc.exposure.list.queryOptions({ limit: maxListed, sort: "name", direction: "asc" }));
  if (!exposures.data || exposures.data.items.length === 0) return null;

  async function take(exposureId: string) {
    setChosen(exposureId);
    setMessage("");
    if (exposureId === "") return;
    try {
      const comparison = await queryClient.fetchQuery(trpc.cost.compare.queryOptions({ id: exposureId, days }));
      if (comparison.profile) setParams(paramsOf({ profile: comparison.profile }));
      setMessage(describe(comparison));
    } catch (error) {
      setMessage(problemOf(error).message);
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm print:hidden">
      <label htmlFor={id}>Or use the measured traffic of</label>
      <Select id={id} className="w-56!" value={chosen} onChange={({ target }) => void take(target.value)}>
        <option value="">an exposure …</option>
        {exposures.data.items.map((each) => (
          <option key={each.id} value={each.id}>
            {`${each.name}, ${each.clusterName}`}
          </option>
        ))}
      </Select>
      <p role="status" className="tabular max-w-prose text-muted">
        {message}
      </p>
    </div>
  );
}

function describe({ profile, measuredShare, notes }: CostComparison): string {
  if (!profile) return notes.join(" ");
  return [`Measured for ${shareText(measuredShare)} of its time in the last ${days} days.`, ...notes].join(" ");
}
