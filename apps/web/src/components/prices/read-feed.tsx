"use client";
import { feedName, type PriceFeedName, type PriceRefresh, priceFeeds } from "@fairlead/domain";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { notify } from "@/components/ui/notices.tsx";
import { Select } from "@/components/ui/select.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";

/** Has a feed read now, for those who may. */
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
        onChange={(event) => setFeed(priceFeeds.find((each) => each === event.target.value) ?? "aws")}
      >
        {priceFeeds.map((each) => (
          <option key={each} value={each}>
            {feedName(each)}
          </option>
        ))}
      </Select>
      <GuardedButton
        permission="price:write"
        variant="primary"
        busy={start.isPending || isOpen === true}
        onClick={() => start.mutate({ feed })}
      >
        {isOpen ? "Being read" : "Read now"}
      </GuardedButton>
    </>
  );
}
