import { addressMappingRouter, addressMapRouter, mappingChangeRouter } from "./routers/address-map.ts";
import { addressPoolRouter } from "./routers/address-pool.ts";
import { agentRouter } from "./routers/agent.ts";
import { apiKeyRouter } from "./routers/api-key.ts";
import { attentionRouter } from "./routers/attention.ts";
import { auditRouter } from "./routers/audit.ts";
import { budgetRouter } from "./routers/budget.ts";
import { choiceRouter } from "./routers/choice.ts";
import { clusterRouter } from "./routers/cluster.ts";
import { controlPlaneRouter } from "./routers/control-plane.ts";
import { costRouter, offerRouter, pricePointRouter, usageRouter } from "./routers/cost.ts";
import { enrollmentTokenRouter } from "./routers/enrollment-token.ts";
import { eventRouter } from "./routers/event.ts";
import { experimentRouter, experimentStepRouter } from "./routers/experiment.ts";
import { exposureRouter } from "./routers/exposure.ts";
import { identityProviderRouter } from "./routers/identity-provider.ts";
import { invitationRouter } from "./routers/invitation.ts";
import { liveRouter } from "./routers/live.ts";
import { loadBalancerRouter } from "./routers/load-balancer.ts";
import { memberRouter } from "./routers/member.ts";
import { moveRouter } from "./routers/move.ts";
import { nodeRouter } from "./routers/node.ts";
import { overviewRouter } from "./routers/overview.ts";
import { currencyRateRouter, negotiatedPriceRouter, ownMachineRouter } from "./routers/price-book.ts";
import { priceRefreshRouter } from "./routers/price-refresh.ts";
import {
  announcementRouter,
  bgpSessionRouter,
  bgpTransitionRouter,
  cloudAddressRouter,
  routeDelayRouter,
  routeRouter,
  routeUpdateRouter,
  routingRouter,
  routingTableRouter,
} from "./routers/routing.ts";
import { seriesRouter } from "./routers/series.ts";
import { sessionRouter } from "./routers/session.ts";
import { trafficFlowRouter } from "./routers/traffic-flow.ts";
import { router } from "./trpc.ts";

export const appRouter = router({
  overview: overviewRouter,
  attention: attentionRouter,
  cluster: clusterRouter,
  node: nodeRouter,
  agent: agentRouter,
  enrollmentToken: enrollmentTokenRouter,
  controlPlane: controlPlaneRouter,
  addressPool: addressPoolRouter,
  exposure: exposureRouter,
  move: moveRouter,
  loadBalancer: loadBalancerRouter,
  addressMap: addressMapRouter,
  addressMapping: addressMappingRouter,
  mappingChange: mappingChangeRouter,
  choice: choiceRouter,
  routing: routingRouter,
  bgpSession: bgpSessionRouter,
  bgpTransition: bgpTransitionRouter,
  announcement: announcementRouter,
  cloudAddress: cloudAddressRouter,
  route: routeRouter,
  routingTable: routingTableRouter,
  routeUpdate: routeUpdateRouter,
  routeDelay: routeDelayRouter,
  experiment: experimentRouter,
  experimentStep: experimentStepRouter,
  cost: costRouter,
  offer: offerRouter,
  pricePoint: pricePointRouter,
  negotiatedPrice: negotiatedPriceRouter,
  ownMachine: ownMachineRouter,
  currencyRate: currencyRateRouter,
  budget: budgetRouter,
  trafficFlow: trafficFlowRouter,
  usage: usageRouter,
  priceRefresh: priceRefreshRouter,
  series: seriesRouter,
  event: eventRouter,
  audit: auditRouter,
  member: memberRouter,
  invitation: invitationRouter,
  apiKey: apiKeyRouter,
  identityProvider: identityProviderRouter,
  session: sessionRouter,
  live: liveRouter,
});

export type AppRouter = typeof appRouter;
