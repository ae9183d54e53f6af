import { type ContextValues, createContextKey, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import { type AgentService, Limit } from "@fairlead/agent-protocol";
import { type Db, inTransaction } from "@fairlead/db";
import {
  type AgentIdentity,
  type Authority,
  admit,
  checkAllowedRoles,
  checkAnswer,
  checkReport,
  enrollAgent,
  hasStrayed,
  noteProtocol,
  noteRoles,
  recordAnswer,
  recoverStrayed,
  renewAgent,
  rolesOfReport,
} from "@fairlead/services/gateway";
import type { Log } from "@fairlead/telemetry";
import type { ReportQueue } from "../reports/report-queue.ts";
import { type Caller, identified } from "../server/caller.ts";
import { toConnectError } from "../server/to-connect-error.ts";
import { Turnstile } from "../server/turnstile.ts";
import { type ConfigBoxes, configMessage, keepAliveMessage, toAgentReport } from "../translate.ts";
import type { AgentDirectory } from "./agent-directory.ts";
import { questionMessage, toAnswer } from "./translate-question.ts";
import type { WatchHub } from "./watch-hub.ts";

const enrollingAtOnce = 4;
const mostEnrolling = 2_000;
const reportLimits = {
  series: Limit.REPORT_SERIES,
  points: Limit.REPORT_POINTS,
  instances: Limit.REPORT_INSTANCES,
  routes: Limit.REPORT_ROUTES,
  updates: Limit.REPORT_UPDATES,
  transitions: Limit.REPORT_TRANSITIONS,
};
const callerKey = createContextKey<Caller | null>(null);

/** setCaller passes the caller of the connection to the handlers. */
export function setCaller(values: ContextValues, caller: Caller | null): ContextValues {
  return values.set(callerKey, caller);
}

export type AgentServiceParts = {
  db: Db;
  authority: Authority;
  directory: AgentDirectory;
  hub: WatchHub;
  queue: ReportQueue;
  log: Log;
  now: () => Date;
  keepAliveMs: number;
  boxes: ConfigBoxes;
};

/** createAgentService serves the agent protocol: parse, authenticate, call a verb, translate. */
export function createAgentService(parts: AgentServiceParts): ServiceImpl<typeof AgentService> {
  const { db, authority, directory, hub, queue, log, now, keepAliveMs, boxes } = parts;

  const turnstile = new Turnstile(enrollingAtOnce, mostEnrolling);

  async function admitted(context: HandlerContext): Promise<{ agent: AgentIdentity; caller: Caller }> {
    const caller = identified(context.values.get(callerKey), now());
    return { agent: admit(await directory.get(caller.agentId), caller), caller };
  }

  async function answer<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toConnectError(error, log);
    }
  }

  return {
    enroll: (request, context) =>
      answer(() => {
        const { token, certificateRequest, nodeName, info } = request;
        const { hostname = "", version = "", protocolVersion = 1, roles = [] } = info ?? {};
        const enrolment = { token, certificateRequest, nodeName, hostname, version, protocolVersion, roles };
        return turnstile.pass(context.signal, () => enrollAgent(db, authority, enrolment, now()));
      }),

    renew: (request, context) =>
      answer(async () => {
        const caller = identified(context.values.get(callerKey), now());
        const renewal = { ...caller, certificateRequest: request.certificateRequest };
        return turnstile.pass(context.signal, () => renewAgent(db, authority, renewal, now()));
      }),

    async *watch(request, context) {
      const { agent, caller } = await answer(() => admitted(context));
      const { info } = request;
      if (info) await answer(() => noteRoles(db, agent, info.roles, now()));
      if (info) await answer(() => noteProtocol(db, agent, info.protocolVersion));
      const revision = Number(request.revision);
      if (hasStrayed({ revision, digest: "" }, { revision: agent.revision, digest: "" }))
        await answer(() => inTransaction(db, (tx) => recoverStrayed(tx, [{ ...agent, revision, digest: "" }])));
      const stream = await answer(async () => hub.open(caller, revision));
      const gone = () => stream.end();
      context.signal.addEventListener("abort", gone);
      try {
        // Sent at once, because the response headers are sent with the first message.
        yield keepAliveMessage(now());
        for (;;) {
          const next = await answer(() => stream.next(keepAliveMs));
          if (next === "ended") return;
          if (next === "idle") yield keepAliveMessage(now());
          else if ("request" in next) yield questionMessage(next);
          else yield await answer(async () => configMessage(next, boxes));
        }
      } finally {
        context.signal.removeEventListener("abort", gone);
        hub.close(stream);
      }
    },

    report: (request, context) =>
      answer(async () => {
        const { agent } = await admitted(context);
        const received = toAgentReport(request, agent.nodeId);
        await checkAllowedRoles(db, agent, rolesOfReport(agent, received), now());
        const report = checkReport(received, reportLimits, now());
        const { newestRevision, rejectedPoints } = await queue.submit({ agent, report }, context.signal);
        return { newestRevision: BigInt(newestRevision), rejectedPoints: BigInt(rejectedPoints) };
      }),

    answer: (request, context) =>
      answer(async () => {
        const { agent } = await admitted(context);
        const checked = checkAnswer(toAnswer(request), { routes: Limit.ANSWER_ROUTES });
        await recordAnswer(db, agent.agentId, request.questionId, checked);
        return {};
      }),
  };
}
