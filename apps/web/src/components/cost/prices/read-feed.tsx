"use client";
import { type PriceFeedName, type PriceRefresh, priceFeedNames, priceFeeds } from "@fairlead/domain/cost";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";

/** Reads a feed now, for users with the permission. */
export function ReadFeed({ refreshes }: { refreshes: PriceRefresh[] | undefined }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [feed, setFeed] = useState<PriceFeedName>("aws");
  const start = useMutation(
    trpc.priceRefresh.start.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.priceRefresh.pathFilter()),
      onError: (error) => notify(problemOf(error).message, "problem"),
    }),
  );
  const isOpen = refreshes?.some(
    (each) => each.feed === feed && (each.state === "waiting" || each.state === "running"),
  );
  return (
    <>
      <Select
        aria-label="Feed"
        className="!w-44"
        value={feed}
        onChange={(event) => setFeed(priceFeedNames.find((each) => each === event.target.value) ?? "aws")}
      >
        {priceFeedNames.map((each) => (
          <option key={each} value={each}>
            {priceFeeds[each].title}
          </option>
        ))}
      </Select>
      <GuardedButton
        permission="price:write"
        variant="primary"
        busy={start.isPending || isOpen === true}
        onClick={() => start.mutate({ feed })}
      >
        {isOpen ? "Reading" : "Read feed"}
      </GuardedButton>
    </>
  );
}
