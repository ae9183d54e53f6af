-- What an agent saw goes with the agent, and with its cluster.
DELETE FROM "bgp_session" WHERE "agent_id" NOT IN (SELECT "id" FROM "agent") OR "cluster_id" NOT IN (SELECT "id" FROM "cluster");
DELETE FROM "route" WHERE "agent_id" NOT IN (SELECT "id" FROM "agent") OR "cluster_id" NOT IN (SELECT "id" FROM "cluster");
ALTER TABLE "bgp_session" ADD CONSTRAINT "bgp_session_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "cluster"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "bgp_session" ADD CONSTRAINT "bgp_session_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "route" ADD CONSTRAINT "route_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "cluster"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "route" ADD CONSTRAINT "route_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE;
