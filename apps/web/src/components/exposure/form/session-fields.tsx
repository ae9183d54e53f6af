"use client";
import { deliveries, sessionDeliveries } from "@fairlead/domain/exposure";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { sessionDelivery, sessionFallbackWords, sessionIdWords, ticketWords } from "@/components/words/delivery.ts";
import { AdvancedSection } from "./advanced-section.tsx";
import { type Choice, ChoiceRows } from "./choice-rows.tsx";
import { describeAdvancedSession } from "./describe-advanced.ts";
import { HealthCheckFields, healthCheckPaths } from "./health-check-fields.tsx";
import { returnsByTicket, type SessionDraft } from "./session-draft.ts";
import { TicketKeyFields } from "./ticket-key-fields.tsx";
import type { ExposureForm } from "./use-exposure-form.ts";

const nameChoices: Choice<SessionDraft["names"]>[] = [
  { value: "learned", ...ticketWords.learned },
  { value: "managed", ...ticketWords.managed },
  { value: "off", ...ticketWords.off },
];
const idChoices: Choice<SessionDraft["ids"]>[] = [
  { value: "on", ...sessionIdWords.on },
  { value: "off", ...sessionIdWords.off },
];
const deliveryChoices: Choice<SessionDraft["delivery"]>[] = [
  { value: "best", ...sessionDelivery },
  ...sessionDeliveries.map((value) => ({ value, ...deliveries[value] })),
];
const fallbackChoices: Choice<SessionDraft["fallbacks"]>[] = [
  { value: "proxy, plain", ...sessionFallbackWords["proxy, plain"] },
  { value: "plain", ...sessionFallbackWords.plain },
];
const drains = [
  {
    key: "sessionDrainSeconds",
    ...{ label: "Drain time of sessions, seconds", usual: "0" },
    hint: "How long clients still return to an instance that is being removed. 0 if empty.",
  },
  {
    key: "drainSeconds",
    ...{ label: "Drain time of connections, seconds", usual: "60" },
    hint: "How long its connections continue after that. 60 if empty.",
  },
] as const;
const advancedPaths = [
  ...["strategy.delivery", "strategy.fallbacks", "strategy.sessionDrainSeconds", "strategy.drainSeconds"],
  ...healthCheckPaths,
];

/** How returning clients are recognised, and how packets reach the backends. */
export function SessionFields({ form }: { form: ExposureForm }) {
  const { session } = form.draft;
  const change = (part: Partial<SessionDraft>) => form.change({ session: { ...session, ...part } });
  return (
    <>
      <ChoiceRows
        legend="Return by ticket"
        docs="ticketKeys"
        choices={nameChoices}
        value={session.names}
        onChange={(names) => change({ names })}
        error={form.error("strategy.names")}
      />
      {session.names === "managed" ? <TicketKeyFields form={form} /> : null}
      {returnsByTicket(session) ? (
        <div className="grid items-start gap-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
          <Field
            label="Server names"
            docs="tlsSessions"
            hint="Comma-separated, if servers have other ticket keys for other names. If empty, replicas connect without a server name."
            error={form.error("strategy.serverNames")}
          >
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                spellCheck={false}
                placeholder="shop.example.com, api.example.com"
                value={session.serverNames}
                onChange={(event) => change({ serverNames: event.target.value })}
                onBlur={() => form.touch("strategy.serverNames")}
              />
            )}
          </Field>
          <Field
            label="Ticket lifetime, hours"
            docs="tlsSessions"
            hint="As set at the servers."
            required
            error={form.error("strategy.ticketHours")}
          >
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                value={session.ticketHours}
                onChange={(event) => change({ ticketHours: event.target.value })}
                onBlur={() => form.touch("strategy.ticketHours")}
              />
            )}
          </Field>
        </div>
      ) : null}
      <ChoiceRows
        legend="Return by session id"
        docs="tlsSessions"
        choices={idChoices}
        value={session.ids}
        onChange={(ids) => change({ ids })}
        error={form.error("strategy.ids")}
      />
      {session.ids === "off" && !returnsByTicket(session) ? (
        <p role="status" className="text-sm text-warn">
          No client returns to its backend: switch one of the two on.
        </p>
      ) : null}
      <AdvancedSection form={form} summary={describeAdvancedSession(form.draft)} paths={advancedPaths}>
        <HealthCheckFields form={form} />
        <ChoiceRows
          legend="Delivery"
          docs="engines"
          choices={deliveryChoices}
          value={session.delivery}
          onChange={(delivery) => change({ delivery })}
          error={form.error("strategy.delivery")}
        />
        <ChoiceRows
          legend="Fallback"
          docs="tlsSessions"
          choices={fallbackChoices}
          value={session.fallbacks}
          onChange={(fallbacks) => change({ fallbacks })}
          error={form.error("strategy.fallbacks")}
        />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          {drains.map(({ key, label, usual, hint }) => (
            <Field key={key} label={label} docs="tlsSessions" hint={hint} error={form.error(`strategy.${key}`)}>
              {(control) => (
                <Input
                  {...control}
                  inputMode="numeric"
                  placeholder={usual}
                  value={session[key]}
                  onChange={(event) => change({ [key]: event.target.value })}
                  onBlur={() => form.touch(`strategy.${key}`)}
                />
              )}
            </Field>
          ))}
        </div>
      </AdvancedSection>
    </>
  );
}
