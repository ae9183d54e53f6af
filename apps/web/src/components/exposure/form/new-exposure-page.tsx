"use client";
import { keepPreviousData, skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Crumbs } from "@/components/detail/crumbs.tsx";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormProblem } from "@/components/ui/form/form-foot.tsx";
import { EmptyState } from "@/components/ui/layout/empty-state.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { useSettled } from "@/components/ui/use-settled.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { Link } from "../../ui/action/link.tsx";
import { ClusterField } from "./cluster-field.tsx";
import type { Prefilled } from "./draft-for.ts";
import { ExpectedCost } from "./expected-cost.tsx";
import { ExposureFields } from "./exposure-fields.tsx";
import { PlanPreview } from "./plan-preview.tsx";
import { stillNeeded } from "./still-needed.ts";
import { StrategyCards } from "./strategy-cards.tsx";
import { useExposureForm } from "./use-exposure-form.ts";
import { useStoredDraft } from "./use-stored-draft.ts";
import { useSuitableAddressing } from "./use-suitable-addressing.ts";
import { WorkloadInstances } from "./workload-instances.tsx";

/** The form of a new exposure, with a preview of what it creates. */
export function NewExposurePage({ link }: { link: Prefilled }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const form = useExposureForm(() => link.draft, { isNew: true });
  useSuitableAddressing(form);
  const stored = useStoredDraft(form, link);
  const [general, setGeneral] = useState("");
  const [failures, setFailures] = useState(0);
  const clusters = useQuery(trpc.cluster.list.queryOptions({ limit: 200 }));
  const { spec, problems } = form.checked;
  const settled = useSettled(spec);
  const create = useMutation(
    trpc.exposure.create.mutationOptions({
      async onSuccess(exposure) {
        stored.remove();
        notify(`Created the exposure ${exposure.name}.`);
        await queryClient.invalidateQueries({ queryKey: trpc.exposure.list.pathKey() });
        router.push(`/exposures/${exposure.id}`);
      },
      onError(error) {
        const problem = problemOf(error);
        form.refuse(problem);
        setGeneral(problem.message);
        setFailures((before) => before + 1);
      },
    }),
  );
  const plan = useQuery({
    ...trpc.exposure.plan.queryOptions(settled ?? skipToken),
    // While it is created, its own name would be reported as taken.
    enabled: !create.isPending && !create.isSuccess,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const { refuse } = form;
  const planProblem = settled && plan.error ? problemOf(plan.error) : null;
  useEffect(() => {
    // Errors that the preview finds, such as a name that is taken, appear under their fields at once.
    if (plan.error) refuse(problemOf(plan.error));
  }, [plan.error, refuse]);

  function submit(): void {
    setGeneral("");
    form.showAll();
    if (spec) create.mutate(spec);
    else setFailures((before) => before + 1);
  }

  const header = (
    <PageHeader
      before={<Crumbs trail={[{ label: "Exposures", href: "/exposures" }]} />}
      title="Create exposure"
      sentence="Choose a workload and how to expose it. The preview shows what will be created."
    />
  );
  if (clusters.data?.total === 0)
    return (
      <>
        {header}
        <EmptyState
          title="No clusters"
          actions={
            <Button asChild variant="primary">
              <Link href="/clusters?create=true">Create cluster</Link>
            </Button>
          }
        >
          An exposure belongs to the cluster that runs its workload. Create a cluster first.
        </EmptyState>
      </>
    );
  return (
    <>
      {header}
      {/* The input is kept in the tab, so leaving the page loses nothing. */}
      <Form
        failures={failures}
        isUnsaved={false}
        onSubmit={submit}
        className="grid items-start gap-x-10 gap-y-8 px-4 pb-10 md:px-6 lg:grid-cols-[minmax(0,44rem)_minmax(18rem,24rem)]"
      >
        <div className="flex flex-col gap-6">
          {stored.restored || stored.isOffered ? (
            <p className="flex flex-wrap items-center gap-3 text-muted text-sm">
              {stored.restored ? "Restored your unsaved input." : "You have other unsaved input."}
              {/* One button for both, because a button that disappears loses the focus. */}
              <Button size="sm" onClick={stored.restored ? stored.startOver : stored.restore}>
                {stored.restored ? "Start over" : "Restore input"}
              </Button>
            </p>
          ) : null}
          <ExposureFields form={form} where={<ClusterField form={form} />} how={<StrategyCards form={form} />} />
        </div>
        <div className="lg:sticky lg:top-4 lg:row-span-2">
          <PlanPreview
            missing={problems ? stillNeeded(problems) : null}
            problem={planProblem?.message ?? null}
            plan={plan.data}
            ports={(spec ?? settled)?.ports ?? []}
          >
            <WorkloadInstances form={form} />
            <ExpectedCost spec={settled} cluster={form.cluster} />
          </PlanPreview>
        </div>
        <div className="flex flex-col gap-3 border-t pt-4">
          <FormProblem message={general} />
          <div className="flex flex-wrap gap-2">
            <GuardedButton permission="exposure:write" type="submit" variant="primary" busy={create.isPending}>
              Create exposure
            </GuardedButton>
            <Button asChild>
              <Link href="/exposures">Cancel</Link>
            </Button>
          </div>
        </div>
      </Form>
    </>
  );
}
