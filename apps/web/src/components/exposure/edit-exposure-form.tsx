"use client";
import { type Exposure, planExposure, reachedBy, strategies, type UpdateExposure } from "@fairlead/domain/exposure";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConflictNotice } from "@/components/detail/conflict-notice.tsx";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { draftOf } from "@/components/exposure/form/draft.ts";
import { ExposureFields } from "@/components/exposure/form/exposure-fields.tsx";
import { PlanPreview } from "@/components/exposure/form/plan-preview.tsx";
import { stillNeeded } from "@/components/exposure/form/still-needed.ts";
import { useExposureForm } from "@/components/exposure/form/use-exposure-form.ts";
import { WorkloadInstances } from "@/components/exposure/form/workload-instances.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormProblem } from "@/components/ui/form/form-foot.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { Link } from "../ui/action/link.tsx";
import { whenApplied } from "./describe-exposure.ts";
import { EditChanges } from "./edit-changes.tsx";
import { inEffectOf, poolOf } from "./in-effect.ts";
import { PausedNotice } from "./pause/paused-notice.tsx";

const mostListed = 200;

/** The form of an existing exposure: its cluster and strategy are fixed, everything else can change. */
export function EditExposureForm({ exposure }: { exposure: Exposure }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const form = useExposureForm(() => draftOf(exposure), { isNew: false });
  // The version that the draft is based on. A save over a later version is rejected.
  const [base, setBase] = useState(exposure);
  const [general, setGeneral] = useState("");
  const [failures, setFailures] = useState(0);
  const [conflict, setConflict] = useState(false);
  const { spec, problems } = form.checked;
  const save = useMutation(
    trpc.exposure.update.mutationOptions({
      async onSuccess(after) {
        notify(`Saved the change of ${after.name}.${whenApplied(after)}`);
        await queryClient.invalidateQueries({ queryKey: trpc.exposure.pathKey() });
        router.push(`/exposures/${after.id}`);
      },
      onError(error) {
        const problem = problemOf(error);
        if (problem.code === "precondition-failed") {
          setConflict(true);
          void queryClient.invalidateQueries({ queryKey: trpc.exposure.get.queryKey({ id: exposure.id }) });
          return;
        }
        form.refuse(problem);
        setGeneral(problem.message);
        setFailures((before) => before + 1);
      },
    }),
  );
  function send(expectedGeneration: number): void {
    if (!spec) return;
    setGeneral("");
    setConflict(false);
    const { clusterId: _, ...change } = spec satisfies UpdateExposure & { clusterId: string };
    // Left out, they would stay as they are.
    save.mutate({ id: exposure.id, ...change, placements: spec.placements ?? [], expectedGeneration });
  }
  function submit(): void {
    form.showAll();
    if (spec) send(base.generation);
    else setFailures((before) => before + 1);
  }
  function takeTheirs(): void {
    form.replace(draftOf(exposure));
    setBase(exposure);
    setConflict(false);
  }
  const clusters = useQuery(trpc.cluster.list.queryOptions({ limit: mostListed }));
  const others = (spec?.placements ?? []).flatMap(
    ({ clusterId }) =>
      clusters.data?.items.filter((each) => each.id === clusterId && clusterId !== base.clusterId) ?? [],
  );
  const plan = spec && form.cluster ? planExposure(spec, reachedBy(form.cluster), others) : undefined;
  return (
    <Form
      failures={failures}
      onSubmit={submit}
      className="grid items-start gap-x-10 gap-y-8 px-4 pb-10 md:px-6 lg:grid-cols-[minmax(0,44rem)_minmax(18rem,24rem)]"
    >
      {exposure.pausedAt ? (
        <div className="lg:col-span-2">
          <PausedNotice pausedAt={exposure.pausedAt}>
            Changes are stored, and applied when it is resumed. Until then, the spec from before the pause is in effect.
          </PausedNotice>
        </div>
      ) : null}
      <ExposureFields
        form={form}
        where={
          <Field label="Cluster" docs={null} required hint="The cluster can't change. Create another exposure instead.">
            {(control) => <Input {...control} value={exposure.clusterName} disabled />}
          </Field>
        }
        how={
          <p className="text-sm">
            <span className="font-medium">{strategies[exposure.strategy.type].title}.</span>{" "}
            {strategies[exposure.strategy.type].summary}{" "}
            <span className="text-muted">
              The strategy can't change, because another one needs other balancers. Create a second exposure, move the
              clients, and delete this one.
            </span>
          </p>
        }
      />
      <div className="lg:sticky lg:top-4 lg:row-span-2">
        <PlanPreview
          missing={problems ? stillNeeded(problems) : null}
          problem={null}
          plan={plan}
          ports={spec?.ports ?? []}
          kept={spec && poolOf(spec.strategy) === poolOf(inEffectOf(base).strategy) ? base.addresses[0] : undefined}
        >
          <WorkloadInstances form={form} />
        </PlanPreview>
        {spec ? <EditChanges base={base} spec={spec} /> : null}
      </div>
      <div className="flex flex-col gap-3 border-t pt-4">
        {conflict ? (
          <ConflictNotice
            noun="exposure"
            subjectId={exposure.id}
            {...(exposure.pausedAt ? { effect: "Traffic follows the spec from before the pause." } : {})}
            onReload={takeTheirs}
            onOverwrite={() => send(exposure.generation)}
          />
        ) : null}
        <FormProblem message={general} />
        <div className="flex flex-wrap gap-2">
          <GuardedButton permission="exposure:write" type="submit" variant="primary" busy={save.isPending}>
            Save changes
          </GuardedButton>
          <Button asChild>
            <Link href={`/exposures/${exposure.id}`}>Cancel</Link>
          </Button>
        </div>
      </div>
    </Form>
  );
}
