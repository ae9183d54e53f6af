import type { ExposureDetail } from "@fairlead/domain/exposure";
import { exposureSpec } from "@/components/spec/exposure-spec.ts";
import { SpecDialog } from "@/components/spec/spec-dialog.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { CloneButton } from "./clone-button.tsx";
import { ExposureHistory } from "./exposure-history.tsx";
import { SpecFacts } from "./spec-facts.tsx";

/** The spec of an exposure, and its versions. */
export function ExposureSpec({ exposure }: { exposure: ExposureDetail }) {
  return (
    <>
      <Section
        title="Spec"
        hint={`version ${exposure.generation}`}
        actions={
          <>
            <SpecDialog name={exposure.name} path="/exposures" spec={exposureSpec(exposure)} />
            <CloneButton exposure={exposure} />
          </>
        }
      >
        <SpecFacts exposure={exposure} />
      </Section>
      <ExposureHistory exposure={exposure} />
    </>
  );
}
