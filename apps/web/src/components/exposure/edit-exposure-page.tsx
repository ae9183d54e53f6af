"use client";
import { useQuery } from "@tanstack/react-query";
import { Crumbs } from "@/components/detail/crumbs.tsx";
import { ObjectError } from "@/components/detail/object-error.tsx";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { EditExposureForm } from "./edit-exposure-form.tsx";

/** Edits the spec of an exposure. */
export function EditExposurePage({ id }: { id: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.exposure.get.queryOptions({ id }));
  const exposure = query.data;
  if (query.error && !exposure)
    return (
      <ObjectError
        error={query.error}
        noun="exposure"
        listHref="/exposures"
        listLabel="See all exposures"
        onRetry={() => void query.refetch()}
      />
    );
  return (
    <>
      <PageHeader
        before={
          <Crumbs
            trail={[
              { label: "Exposures", href: "/exposures" },
              { label: exposure?.name ?? "…", href: `/exposures/${id}` },
            ]}
          />
        }
        title={exposure ? `Edit ${exposure.name}` : <Skeleton className="h-6 w-48" />}
        sentence="Traffic follows the current spec until the new one is in place."
      />
      {exposure ? <EditExposureForm exposure={exposure} /> : null}
    </>
  );
}
