"use client";
import { exposurePhases, strategies, strategyTypes } from "@fairlead/domain/exposure";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { PauseAction } from "@/components/exposure/pause/pause-effect.tsx";
import { useMay } from "@/components/frame/session.tsx";
import { ChoiceFilter } from "@/components/table/choice-filter.tsx";
import { ListPage } from "@/components/table/list-page.tsx";
import { PeekTitle } from "@/components/table/peek-title.tsx";
import { useClusterName } from "@/components/table/use-cluster-name.ts";
import { useListParams } from "@/components/table/use-list-params.ts";
import { usePageQuery } from "@/components/table/use-page-query.ts";
import { type Picked, useSelection } from "@/components/table/use-selection.ts";
import { Button } from "@/components/ui/action/button.tsx";
import { Link } from "@/components/ui/action/link.tsx";
import { EmptyState } from "@/components/ui/layout/empty-state.tsx";
import { statusLooks } from "@/components/ui/status/status.ts";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { exposureColumns } from "./columns.tsx";
import { DeleteExposures } from "./delete-exposures.tsx";
import { LabelExposures } from "./label-exposures.tsx";
import { PauseExposures } from "./pause-exposures.tsx";
import { ExposurePeek } from "./peek.tsx";
import { exposureParams, toExposureInput } from "./search-params.ts";

const phaseOptions = exposurePhases.map((word) => ({
  word,
  label: statusLooks[word].word,
  look: <StatusBadge status={word} />,
}));
const pausedOptions = [
  { word: "yes", label: "Paused", look: <StatusBadge status="paused" /> },
  { word: "no", label: "Not paused" },
] as const;
const strategyOptions = strategyTypes.map((word) => ({ word, label: strategies[word].title }));

export function ExposureList() {
  const trpc = useTRPC();
  const mayWrite = useMay("exposure:write");
  const [params, setParams, onParams] = useListParams(exposureParams);
  const clusterName = useClusterName(params.cluster);
  const input = toExposureInput(params);
  const { sort: _, direction: __, ...narrowed } = input;
  const selection = useSelection(JSON.stringify(narrowed));
  const [deleting, setDeleting] = useState<Picked[] | null>(null);
  const [pausing, setPausing] = useState<{ exposures: Picked[]; action: PauseAction } | null>(null);
  const [labelling, setLabelling] = useState<Picked[] | null>(null);
  const pageQuery = usePageQuery(input, (page) => trpc.exposure.list.queryOptions(page));
  const createHref = params.cluster ? `/exposures/new?cluster=${params.cluster}` : "/exposures/new";
  const create = mayWrite ? (
    <Button asChild variant="primary">
      <Link href={createHref}>
        <Plus aria-hidden />
        Create exposure
      </Link>
    </Button>
  ) : undefined;

  return (
    <>
      <ListPage
        title="Exposures"
        sentence="Workloads that are reachable from outside, and how."
        actions={create}
        noun={["exposure", "exposures"]}
        searchLabel="Search exposures by name"
        columns={exposureColumns}
        params={params}
        onParams={onParams}
        refreshEveryMs={30_000}
        pageQuery={pageQuery}
        filters={
          <>
            <ChoiceFilter
              label="State"
              options={phaseOptions}
              chosen={params.phase}
              onChoose={(phase) => setParams({ phase, row: null })}
            />
            <ChoiceFilter
              label="Strategy"
              options={strategyOptions}
              chosen={params.strategy}
              onChoose={(strategy) => setParams({ strategy, row: null })}
            />
            <ChoiceFilter
              label="Paused"
              options={pausedOptions}
              chosen={params.paused}
              onChoose={(paused) => setParams({ paused, row: null })}
            />
          </>
        }
        isFiltered={params.q !== "" || [params.phase, params.strategy, params.paused].some((each) => each !== null)}
        onClearFilters={() => setParams({ q: null, phase: null, strategy: null, paused: null, row: null })}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowGeneration={({ generation }) => generation}
        rowHref={({ id }) => `/exposures/${id}`}
        selection={mayWrite ? selection : undefined}
        bulk={
          <>
            <Button size="sm" onClick={() => setLabelling(selection.picked())}>
              Label…
            </Button>
            <Button size="sm" onClick={() => setPausing({ exposures: selection.picked(), action: "pause" })}>
              Pause…
            </Button>
            <Button size="sm" onClick={() => setPausing({ exposures: selection.picked(), action: "resume" })}>
              Resume…
            </Button>
            <Button size="sm" variant="danger" onClick={() => setDeleting(selection.picked())}>
              Delete…
            </Button>
          </>
        }
        peekKind="Exposure"
        peek={(id, row) => ({
          title: <PeekTitle row={row} query={trpc.exposure.get.queryOptions({ id })} fallback="Exposure" />,
          href: `/exposures/${id}`,
          body: (
            <ExposurePeek id={id} row={row} onDelete={mayWrite ? (name) => setDeleting([{ id, name }]) : undefined} />
          ),
        })}
        emptyYet={
          <EmptyState title={clusterName ? `No exposures in ${clusterName}` : "No exposures"} actions={create}>
            An exposure makes the ports of a workload reachable: through one balancer per instance, an ECMP group, or a
            cloud load balancer. You see a preview before anything is created.
          </EmptyState>
        }
      />
      <LabelExposures
        exposures={labelling}
        onClose={() => setLabelling(null)}
        onLabelled={() => {
          setLabelling(null);
          selection.clear();
        }}
      />
      <PauseExposures
        exposures={pausing?.exposures ?? null}
        action={pausing?.action ?? "pause"}
        onClose={() => setPausing(null)}
        onDone={selection.clear}
      />
      <DeleteExposures
        exposures={deleting}
        onClose={() => setDeleting(null)}
        onDeleted={() => {
          selection.clear();
          if (params.peek && deleting?.some(({ id }) => id === params.peek)) void setParams({ peek: null });
        }}
      />
    </>
  );
}
