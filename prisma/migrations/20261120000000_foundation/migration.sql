-- Prefixes of one cluster's pools must never overlap, so an exclusion constraint compares text and inet together.
CREATE EXTENSION IF NOT EXISTS btree_gist;

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "user" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "token" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "user_id" TEXT NOT NULL,
    "active_organization_id" TEXT,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "password" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verification" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "verification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sso_provider" (
    "id" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "oidc_config" TEXT,
    "saml_config" TEXT,
    "user_id" TEXT,
    "provider_id" TEXT NOT NULL,
    "organization_id" TEXT,
    "domain" TEXT NOT NULL,
    "default_role" TEXT NOT NULL DEFAULT 'viewer',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sso_provider_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "organization" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "organization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "member" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "member_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invitation" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "start" TEXT NOT NULL,
    "key_hash" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "scopes" TEXT[],
    "requests_per_minute" INTEGER NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "actor_name" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "subject_name" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reconcile_task" (
    "kind" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "requests" BIGINT NOT NULL DEFAULT 1,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lease" UUID,
    "leased_until" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "resting" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "reconcile_task_pkey" PRIMARY KEY ("kind","object_id")
);

-- CreateTable
CREATE TABLE "event" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "cluster_id" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "severity" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "subject_name" TEXT NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "feed_entry" (
    "id" BIGSERIAL NOT NULL,
    "transaction" BIGINT NOT NULL DEFAULT (pg_current_xact_id()::text)::bigint,
    "organization_id" TEXT NOT NULL,
    "cluster_id" TEXT,
    "subject_kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "feed_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "organization_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "request_digest" TEXT NOT NULL,
    "status" INTEGER,
    "body" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("organization_id","key")
);

-- CreateTable
CREATE TABLE "exposure" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "workload" JSONB NOT NULL,
    "ports" JSONB NOT NULL,
    "strategy" TEXT NOT NULL,
    "parameters" JSONB NOT NULL,
    "labels" JSONB NOT NULL DEFAULT '{}',
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "exposure_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "exposure_status" (
    "exposure_id" TEXT NOT NULL,
    "observed_generation" INTEGER NOT NULL DEFAULT 0,
    "phase" TEXT NOT NULL DEFAULT 'pending',
    "message" TEXT NOT NULL DEFAULT '',
    "conditions" JSONB NOT NULL DEFAULT '[]',
    "applied" BOOLEAN NOT NULL DEFAULT false,
    "observed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "exposure_status_pkey" PRIMARY KEY ("exposure_id")
);

-- CreateTable
CREATE TABLE "load_balancer" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "exposure_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "instance" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "load_balancer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "load_balancer_status" (
    "load_balancer_id" TEXT NOT NULL,
    "phase" TEXT NOT NULL,
    "message" TEXT NOT NULL DEFAULT '',
    "address" TEXT,
    "replicas_ready" INTEGER NOT NULL DEFAULT 0,
    "backends_up" INTEGER NOT NULL DEFAULT 0,
    "backends_total" INTEGER NOT NULL DEFAULT 0,
    "observed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "load_balancer_status_pkey" PRIMARY KEY ("load_balancer_id")
);

-- CreateTable
CREATE TABLE "replica" (
    "id" TEXT NOT NULL,
    "load_balancer_id" TEXT NOT NULL,
    "node_id" TEXT,
    "ordinal" INTEGER NOT NULL,
    "ready" BOOLEAN NOT NULL DEFAULT false,
    "message" TEXT NOT NULL DEFAULT '',
    "observed_at" TIMESTAMPTZ(3),

    CONSTRAINT "replica_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "backend" (
    "id" TEXT NOT NULL,
    "load_balancer_id" TEXT NOT NULL,
    "instance" TEXT NOT NULL,
    "address" INET NOT NULL,
    "port" INTEGER NOT NULL,
    "weight" INTEGER NOT NULL DEFAULT 1,
    "state" TEXT NOT NULL,
    "health" TEXT NOT NULL,
    "observed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "backend_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "address_pool" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" INET NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "address_pool_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "virtual_address" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "pool_id" TEXT NOT NULL,
    "load_balancer_id" TEXT NOT NULL,
    "address" INET NOT NULL,
    "allocated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "virtual_address_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "address_mapping" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "exposure_id" TEXT NOT NULL,
    "load_balancer_id" TEXT NOT NULL,
    "instance" TEXT NOT NULL,
    "internal_address" INET NOT NULL,
    "internal_port" INTEGER NOT NULL,
    "external_address" TEXT NOT NULL,
    "external_port" INTEGER NOT NULL,
    "ready" BOOLEAN NOT NULL DEFAULT false,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "observed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "address_mapping_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "cluster" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "region" TEXT NOT NULL DEFAULT '',
    "labels" JSONB NOT NULL DEFAULT '{}',
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "cluster_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "node" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "node_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "node_id" TEXT NOT NULL,
    "roles" TEXT[],
    "certificate_serial" TEXT NOT NULL,
    "certificate_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "previous_serial" TEXT,
    "enrolled_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "enrollment_token" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "node_name" TEXT,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "agent_id" TEXT,

    CONSTRAINT "enrollment_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "node_config" (
    "agent_id" TEXT NOT NULL,
    "node_id" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "config" JSONB NOT NULL,
    "compiled_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "node_config_pkey" PRIMARY KEY ("agent_id")
);

-- CreateTable
CREATE TABLE "node_status" (
    "agent_id" TEXT NOT NULL,
    "node_id" TEXT NOT NULL,
    "boot_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "observed_revision" INTEGER NOT NULL,
    "config_error" TEXT NOT NULL DEFAULT '',
    "corrections" BIGINT NOT NULL DEFAULT 0,
    "dropped_reports" BIGINT NOT NULL DEFAULT 0,
    "version" TEXT NOT NULL DEFAULT '',
    "facts" JSONB,
    "cpu_utilization_ratio" DOUBLE PRECISION,
    "memory_used_ratio" DOUBLE PRECISION,
    "load1" DOUBLE PRECISION,
    "last_report_at" TIMESTAMPTZ(3) NOT NULL,
    "silent_since" TIMESTAMPTZ(3),

    CONSTRAINT "node_status_pkey" PRIMARY KEY ("agent_id")
);

-- CreateTable
CREATE TABLE "certificate_authority" (
    "id" TEXT NOT NULL,
    "certificate" BYTEA NOT NULL,
    "encrypted_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "certificate_authority_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "series" (
    "id" SERIAL NOT NULL,
    "organization_id" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "labels" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "series_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sample" (
    "series_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "sample_pkey" PRIMARY KEY ("series_id","at")
) PARTITION BY RANGE ("at");

-- CreateTable
CREATE TABLE "sample_minute" (
    "series_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,
    "sum" DOUBLE PRECISION NOT NULL,
    "min" DOUBLE PRECISION NOT NULL,
    "max" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "sample_minute_pkey" PRIMARY KEY ("series_id","at")
) PARTITION BY RANGE ("at");

-- CreateTable
CREATE TABLE "sample_hour" (
    "series_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,
    "sum" DOUBLE PRECISION NOT NULL,
    "min" DOUBLE PRECISION NOT NULL,
    "max" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "sample_hour_pkey" PRIMARY KEY ("series_id","at")
) PARTITION BY RANGE ("at");

-- CreateTable
CREATE TABLE "rollup_task" (
    "resolution" TEXT NOT NULL,
    "bucket_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rollup_task_pkey" PRIMARY KEY ("resolution","bucket_at")
);

-- CreateTable
CREATE TABLE "bgp_session" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "peer_address" INET NOT NULL,
    "peer_asn" BIGINT NOT NULL,
    "local_asn" BIGINT NOT NULL,
    "state" TEXT NOT NULL,
    "state_since" TIMESTAMPTZ(3) NOT NULL,
    "last_error" TEXT NOT NULL DEFAULT '',
    "observed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bgp_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "route" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "prefix" INET NOT NULL,
    "observed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "route_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "next_hop" (
    "id" TEXT NOT NULL,
    "route_id" TEXT NOT NULL,
    "address" INET NOT NULL,
    "weight" INTEGER NOT NULL DEFAULT 1,
    "observed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "next_hop_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "user_email_key" ON "user"("email");

-- CreateIndex
CREATE UNIQUE INDEX "session_token_key" ON "session"("token");

-- CreateIndex
CREATE INDEX "session_user_id_idx" ON "session"("user_id");

-- CreateIndex
CREATE INDEX "account_user_id_idx" ON "account"("user_id");

-- CreateIndex
CREATE INDEX "verification_identifier_idx" ON "verification"("identifier");

-- CreateIndex
CREATE UNIQUE INDEX "sso_provider_provider_id_key" ON "sso_provider"("provider_id");

-- CreateIndex
CREATE INDEX "sso_provider_organization_id_idx" ON "sso_provider"("organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "organization_slug_key" ON "organization"("slug");

-- CreateIndex
CREATE INDEX "member_user_id_idx" ON "member"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "member_organization_id_user_id_key" ON "member"("organization_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitation_token_hash_key" ON "invitation"("token_hash");

-- CreateIndex
CREATE INDEX "invitation_organization_id_idx" ON "invitation"("organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_key_hash_key" ON "api_key"("key_hash");

-- CreateIndex
CREATE INDEX "api_key_organization_id_idx" ON "api_key"("organization_id");

-- CreateIndex
CREATE INDEX "audit_entry_organization_id_at_id_idx" ON "audit_entry"("organization_id", "at" DESC, "id");

-- CreateIndex
CREATE INDEX "audit_entry_organization_id_subject_id_idx" ON "audit_entry"("organization_id", "subject_id");

-- CreateIndex
CREATE INDEX "reconcile_task_due_at_idx" ON "reconcile_task"("due_at");

-- CreateIndex
CREATE INDEX "event_organization_id_at_id_idx" ON "event"("organization_id", "at" DESC, "id");

-- CreateIndex
CREATE INDEX "event_organization_id_subject_id_at_idx" ON "event"("organization_id", "subject_id", "at" DESC);

-- CreateIndex
CREATE INDEX "feed_entry_transaction_id_idx" ON "feed_entry"("transaction", "id");

-- CreateIndex
CREATE INDEX "feed_entry_at_idx" ON "feed_entry"("at");

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

-- CreateIndex
CREATE INDEX "exposure_organization_id_name_idx" ON "exposure"("organization_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "exposure_cluster_id_name_key" ON "exposure"("cluster_id", "name");

-- CreateIndex
CREATE INDEX "load_balancer_organization_id_name_idx" ON "load_balancer"("organization_id", "name");

-- CreateIndex
CREATE INDEX "load_balancer_cluster_id_idx" ON "load_balancer"("cluster_id");

-- CreateIndex
CREATE UNIQUE INDEX "load_balancer_exposure_id_name_key" ON "load_balancer"("exposure_id", "name");

-- CreateIndex
CREATE INDEX "replica_node_id_idx" ON "replica"("node_id");

-- CreateIndex
CREATE UNIQUE INDEX "replica_load_balancer_id_ordinal_key" ON "replica"("load_balancer_id", "ordinal");

-- CreateIndex
CREATE UNIQUE INDEX "backend_load_balancer_id_address_port_key" ON "backend"("load_balancer_id", "address", "port");

-- CreateIndex
CREATE INDEX "address_pool_organization_id_name_idx" ON "address_pool"("organization_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "address_pool_cluster_id_name_key" ON "address_pool"("cluster_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "virtual_address_load_balancer_id_key" ON "virtual_address"("load_balancer_id");

-- CreateIndex
CREATE UNIQUE INDEX "virtual_address_pool_id_address_key" ON "virtual_address"("pool_id", "address");

-- CreateIndex
CREATE UNIQUE INDEX "address_mapping_exposure_id_internal_address_internal_port_key" ON "address_mapping"("exposure_id", "internal_address", "internal_port");

-- CreateIndex
CREATE UNIQUE INDEX "cluster_organization_id_name_key" ON "cluster"("organization_id", "name");

-- CreateIndex
CREATE INDEX "node_organization_id_name_idx" ON "node"("organization_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "node_cluster_id_name_key" ON "node"("cluster_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "agent_certificate_serial_key" ON "agent"("certificate_serial");

-- CreateIndex
CREATE UNIQUE INDEX "agent_previous_serial_key" ON "agent"("previous_serial");

-- CreateIndex
CREATE INDEX "agent_node_id_idx" ON "agent"("node_id");

-- CreateIndex
CREATE INDEX "agent_organization_id_idx" ON "agent"("organization_id");

-- CreateIndex
CREATE INDEX "enrollment_token_cluster_id_idx" ON "enrollment_token"("cluster_id");

-- CreateIndex
CREATE INDEX "node_config_node_id_idx" ON "node_config"("node_id");

-- CreateIndex
CREATE INDEX "node_status_node_id_idx" ON "node_status"("node_id");

-- CreateIndex
CREATE UNIQUE INDEX "series_subject_id_metric_labels_key" ON "series"("subject_id", "metric", "labels");

-- CreateIndex
CREATE INDEX "rollup_task_due_at_idx" ON "rollup_task"("due_at");

-- CreateIndex
CREATE INDEX "bgp_session_organization_id_idx" ON "bgp_session"("organization_id");

-- CreateIndex
CREATE INDEX "bgp_session_cluster_id_idx" ON "bgp_session"("cluster_id");

-- CreateIndex
CREATE UNIQUE INDEX "bgp_session_agent_id_peer_address_key" ON "bgp_session"("agent_id", "peer_address");

-- CreateIndex
CREATE INDEX "route_cluster_id_idx" ON "route"("cluster_id");

-- CreateIndex
CREATE UNIQUE INDEX "route_agent_id_prefix_key" ON "route"("agent_id", "prefix");

-- CreateIndex
CREATE UNIQUE INDEX "next_hop_route_id_address_key" ON "next_hop"("route_id", "address");

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account" ADD CONSTRAINT "account_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sso_provider" ADD CONSTRAINT "sso_provider_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member" ADD CONSTRAINT "member_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member" ADD CONSTRAINT "member_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exposure" ADD CONSTRAINT "exposure_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "cluster"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exposure_status" ADD CONSTRAINT "exposure_status_exposure_id_fkey" FOREIGN KEY ("exposure_id") REFERENCES "exposure"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "load_balancer" ADD CONSTRAINT "load_balancer_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "cluster"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "load_balancer" ADD CONSTRAINT "load_balancer_exposure_id_fkey" FOREIGN KEY ("exposure_id") REFERENCES "exposure"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "load_balancer_status" ADD CONSTRAINT "load_balancer_status_load_balancer_id_fkey" FOREIGN KEY ("load_balancer_id") REFERENCES "load_balancer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "replica" ADD CONSTRAINT "replica_load_balancer_id_fkey" FOREIGN KEY ("load_balancer_id") REFERENCES "load_balancer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "replica" ADD CONSTRAINT "replica_node_id_fkey" FOREIGN KEY ("node_id") REFERENCES "node"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "backend" ADD CONSTRAINT "backend_load_balancer_id_fkey" FOREIGN KEY ("load_balancer_id") REFERENCES "load_balancer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "address_pool" ADD CONSTRAINT "address_pool_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "cluster"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "virtual_address" ADD CONSTRAINT "virtual_address_pool_id_fkey" FOREIGN KEY ("pool_id") REFERENCES "address_pool"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "virtual_address" ADD CONSTRAINT "virtual_address_load_balancer_id_fkey" FOREIGN KEY ("load_balancer_id") REFERENCES "load_balancer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "address_mapping" ADD CONSTRAINT "address_mapping_load_balancer_id_fkey" FOREIGN KEY ("load_balancer_id") REFERENCES "load_balancer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cluster" ADD CONSTRAINT "cluster_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "node" ADD CONSTRAINT "node_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "cluster"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent" ADD CONSTRAINT "agent_node_id_fkey" FOREIGN KEY ("node_id") REFERENCES "node"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "enrollment_token" ADD CONSTRAINT "enrollment_token_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "cluster"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "node_config" ADD CONSTRAINT "node_config_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "node_status" ADD CONSTRAINT "node_status_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "next_hop" ADD CONSTRAINT "next_hop_route_id_fkey" FOREIGN KEY ("route_id") REFERENCES "route"("id") ON DELETE CASCADE ON UPDATE CASCADE;



-- Two pools of one cluster never share an address.
ALTER TABLE "address_pool" ADD CONSTRAINT "address_pool_no_overlap" EXCLUDE USING gist ("cluster_id" WITH =, "prefix" inet_ops WITH &&);

-- Words that the code knows, so that a row no version can read is never stored.
ALTER TABLE "exposure" ADD CONSTRAINT "exposure_strategy" CHECK ("strategy" IN ('per-replica', 'ecmp', 'session', 'adaptive', 'cloud'));
ALTER TABLE "cluster" ADD CONSTRAINT "cluster_kind" CHECK ("kind" IN ('kubernetes', 'lab', 'machines'));
ALTER TABLE "member" ADD CONSTRAINT "member_role" CHECK ("role" IN ('owner', 'operator', 'viewer'));
ALTER TABLE "backend" ADD CONSTRAINT "backend_state" CHECK ("state" IN ('active', 'draining', 'filling', 'inactive'));
ALTER TABLE "backend" ADD CONSTRAINT "backend_health" CHECK ("health" IN ('up', 'down', 'unknown'));

-- Searches by part of a name over ten thousand rows read the index, not the table.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX "load_balancer_name_trgm" ON "load_balancer" USING gin ("name" gin_trgm_ops);
CREATE INDEX "exposure_name_trgm" ON "exposure" USING gin ("name" gin_trgm_ops);
