-- Everything but the views, which are in prisma/views.

-- An exclusion constraint on address pools compares text and inet together.
CREATE EXTENSION IF NOT EXISTS btree_gist;
-- Searches for part of a name read an index, not the table.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE "user" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "name" TEXT NOT NULL,
  "email" TEXT NOT NULL,
  "email_verified" BOOLEAN NOT NULL DEFAULT false,
  "image" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX "user_email_key" ON "user"("email");

CREATE TABLE "session" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "token" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  "ip_address" TEXT,
  "user_agent" TEXT,
  "user_id" TEXT NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "active_organization_id" TEXT,
  "bound_organization_id" TEXT
);
CREATE UNIQUE INDEX "session_token_key" ON "session"("token");
CREATE INDEX "session_user_id_idx" ON "session"("user_id");

CREATE TABLE "account" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "account_id" TEXT NOT NULL,
  "provider_id" TEXT NOT NULL,
  "user_id" TEXT NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "access_token" TEXT,
  "refresh_token" TEXT,
  "id_token" TEXT,
  "access_token_expires_at" TIMESTAMPTZ(3),
  "refresh_token_expires_at" TIMESTAMPTZ(3),
  "scope" TEXT,
  "password" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX "account_user_id_idx" ON "account"("user_id");

CREATE TABLE "verification" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "identifier" TEXT NOT NULL,
  "value" TEXT NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX "verification_identifier_idx" ON "verification"("identifier");

CREATE TABLE "sso_provider" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "issuer" TEXT NOT NULL,
  "oidc_config" TEXT,
  "saml_config" TEXT,
  "user_id" TEXT REFERENCES "user" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
  "provider_id" TEXT NOT NULL,
  "organization_id" TEXT,
  "domain" TEXT NOT NULL,
  "default_role" TEXT NOT NULL DEFAULT 'viewer',
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "client_id" TEXT NOT NULL DEFAULT ''
);
CREATE INDEX "sso_provider_organization_id_idx" ON "sso_provider"("organization_id");
CREATE UNIQUE INDEX "sso_provider_provider_id_key" ON "sso_provider"("provider_id");

CREATE TABLE "organization" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "name" TEXT NOT NULL,
  "slug" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX "organization_slug_key" ON "organization"("slug");

CREATE TABLE "member" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL REFERENCES "organization" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "user_id" TEXT NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "role" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "member_role" CHECK ("role" IN ('owner', 'operator', 'viewer'))
);
CREATE UNIQUE INDEX "member_organization_id_user_id_key" ON "member"("organization_id", "user_id");
CREATE INDEX "member_user_id_idx" ON "member"("user_id");

CREATE TABLE "invitation" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "email" TEXT NOT NULL,
  "role" TEXT NOT NULL,
  "token_hash" TEXT NOT NULL,
  "created_by" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "accepted_at" TIMESTAMPTZ(3)
);
-- One open invitation for each address.
CREATE UNIQUE INDEX "invitation_open" ON "invitation"("organization_id", "email") WHERE "accepted_at" IS NULL;
CREATE INDEX "invitation_organization_id_idx" ON "invitation"("organization_id");
CREATE UNIQUE INDEX "invitation_token_hash_key" ON "invitation"("token_hash");

CREATE TABLE "api_key" (
  "id" TEXT NOT NULL PRIMARY KEY,
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
  "revoked_at" TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX "api_key_key_hash_key" ON "api_key"("key_hash");
CREATE INDEX "api_key_organization_id_idx" ON "api_key"("organization_id");

CREATE TABLE "allowance" (
  "name" TEXT NOT NULL PRIMARY KEY,
  "spent_until" TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX "allowance_spent_until_idx" ON "allowance"("spent_until");

CREATE TABLE "audit_entry" (
  "id" TEXT NOT NULL PRIMARY KEY,
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
  "after" JSONB
);
-- Retention deletes the oldest of all organisations.
CREATE INDEX "audit_entry_at_idx" ON "audit_entry"("at");
CREATE INDEX "audit_entry_organization_id_at_id_idx" ON "audit_entry"("organization_id", "at", "id");
CREATE INDEX "audit_entry_organization_id_subject_id_idx" ON "audit_entry"("organization_id", "subject_id");
CREATE INDEX "audit_entry_text_trgm" ON "audit_entry" USING gin ("action" gin_trgm_ops, "actor_name" gin_trgm_ops, "subject_name" gin_trgm_ops);

CREATE TABLE "cluster" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL REFERENCES "organization" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "name" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "region" TEXT NOT NULL DEFAULT '',
  "labels" JSONB NOT NULL DEFAULT '{}',
  "generation" INTEGER NOT NULL DEFAULT 1,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  "routing" JSONB,
  "routing_password" TEXT NOT NULL DEFAULT '',
  "runs_as" JSONB,
  CONSTRAINT "cluster_kind" CHECK ("kind" IN ('kubernetes', 'lab', 'machines'))
);
CREATE UNIQUE INDEX "cluster_organization_id_name_key" ON "cluster"("organization_id", "name");

-- How the API of a Kubernetes cluster is reached. What the last check found is in kubernetes_status.
CREATE TABLE "kubernetes_access" (
  "cluster_id" TEXT NOT NULL PRIMARY KEY REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "settings" JSONB NOT NULL,
  "sealed" TEXT NOT NULL,
  "generation" INTEGER NOT NULL DEFAULT 1
);

CREATE TABLE "kubernetes_status" (
  "cluster_id" TEXT NOT NULL PRIMARY KEY REFERENCES "kubernetes_access" ("cluster_id") ON DELETE CASCADE ON UPDATE CASCADE,
  "generation" INTEGER NOT NULL,
  "phase" TEXT NOT NULL,
  "message" TEXT NOT NULL DEFAULT '',
  "version" TEXT NOT NULL DEFAULT '',
  "permissions" JSONB NOT NULL DEFAULT '[]',
  "checked_at" TIMESTAMPTZ(3),
  "observed_at" TIMESTAMPTZ(3) NOT NULL,
  "since" TIMESTAMPTZ(3) NOT NULL
);

-- What a Kubernetes cluster holds, as its watcher last saw it: nodes, workloads and Services of others.
CREATE TABLE "inventory_item" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "kubernetes_access" ("cluster_id") ON DELETE CASCADE ON UPDATE CASCADE,
  "kind" TEXT NOT NULL,
  "namespace" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "wanted" INTEGER NOT NULL,
  "ready" INTEGER NOT NULL,
  "addresses" TEXT[] NOT NULL,
  "changed_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX "inventory_item_cluster_id_kind_namespace_name_key"
  ON "inventory_item"("cluster_id", "kind", "namespace", "name");

CREATE TABLE "node" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "name" TEXT NOT NULL,
  "settings" JSONB NOT NULL,
  "generation" INTEGER NOT NULL DEFAULT 1,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  "draining_since" TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX "node_cluster_id_name_key" ON "node"("cluster_id", "name");
CREATE INDEX "node_organization_id_name_id_idx" ON "node"("organization_id", "name" COLLATE "C", "id");

CREATE TABLE "agent" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "node_id" TEXT NOT NULL REFERENCES "node" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "roles" TEXT[],
  "certificate_serial" TEXT NOT NULL,
  "certificate_expires_at" TIMESTAMPTZ(3) NOT NULL,
  "previous_serial" TEXT,
  "enrolled_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "revoked_at" TIMESTAMPTZ(3),
  "key_digest" TEXT NOT NULL DEFAULT '',
  "held_revision" INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX "agent_certificate_serial_key" ON "agent"("certificate_serial");
CREATE INDEX "agent_node_id_idx" ON "agent"("node_id");
CREATE INDEX "agent_organization_id_idx" ON "agent"("organization_id");
CREATE UNIQUE INDEX "agent_previous_serial_key" ON "agent"("previous_serial");

CREATE TABLE "enrollment_token" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "secret_hash" TEXT NOT NULL,
  "node_name" TEXT,
  "created_by" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "used_at" TIMESTAMPTZ(3),
  "agent_id" TEXT,
  -- Any number of machines may join with a reusable token, such as the pods of a DaemonSet.
  "is_reusable" BOOLEAN NOT NULL DEFAULT false,
  "uses" INTEGER NOT NULL DEFAULT 0,
  "roles" TEXT[] NOT NULL DEFAULT '{}'
);
CREATE INDEX "enrollment_token_cluster_id_idx" ON "enrollment_token"("cluster_id");

CREATE TABLE "node_config" (
  "agent_id" TEXT NOT NULL PRIMARY KEY REFERENCES "agent" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "node_id" TEXT NOT NULL,
  "revision" INTEGER NOT NULL,
  "digest" TEXT NOT NULL,
  "config" JSONB NOT NULL,
  "compiled_at" TIMESTAMPTZ(3) NOT NULL,
  "load_balancer_ids" TEXT[] DEFAULT ARRAY[]::text[]
);
CREATE INDEX "node_config_node_id_idx" ON "node_config"("node_id");

-- Every agent updates its row every few seconds. Free space on each page keeps these updates out of the indexes.
CREATE TABLE "node_status" (
  "agent_id" TEXT NOT NULL PRIMARY KEY REFERENCES "agent" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
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
  "previous_boot_id" TEXT NOT NULL DEFAULT '',
  "warnings" TEXT[] DEFAULT ARRAY[]::text[],
  "observed_digest" TEXT NOT NULL DEFAULT ''
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
CREATE INDEX "node_status_node_id_idx" ON "node_status"("node_id");

CREATE TABLE "balancer_status" (
  "agent_id" TEXT NOT NULL PRIMARY KEY REFERENCES "agent" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "engine" TEXT NOT NULL DEFAULT '',
  "engine_reason" TEXT NOT NULL DEFAULT '',
  "refused" JSONB NOT NULL DEFAULT '[]',
  "address" TEXT NOT NULL DEFAULT '',
  "flow_address" TEXT NOT NULL DEFAULT '',
  "load_balancer_ids" TEXT[] DEFAULT ARRAY[]::text[],
  "addresses" TEXT[] DEFAULT ARRAY[]::text[],
  "observed_at" TIMESTAMPTZ(3) NOT NULL
);

CREATE TABLE "certificate_authority" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "certificate" BYTEA NOT NULL,
  "encrypted_key" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE "exposure" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "cluster" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
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
  "health_check" JSONB,
  -- Who may read the address map: the whole organisation or certain keys, and from which networks.
  "map_access" JSONB NOT NULL DEFAULT '{"keys": [], "mode": "organization", "networks": []}',
  CONSTRAINT "exposure_strategy" CHECK ("strategy" IN ('per-replica', 'ecmp', 'session', 'adaptive', 'cloud'))
);
CREATE UNIQUE INDEX "exposure_cluster_id_name_key" ON "exposure"("cluster_id", "name");
CREATE INDEX "exposure_name_trgm" ON "exposure" USING gin ("name" gin_trgm_ops);
CREATE INDEX "exposure_organization_id_name_id_idx" ON "exposure"("organization_id", "name" COLLATE "C", "id");

CREATE TABLE "exposure_status" (
  "exposure_id" TEXT NOT NULL PRIMARY KEY REFERENCES "exposure" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "observed_generation" INTEGER NOT NULL DEFAULT 0,
  "phase" TEXT NOT NULL DEFAULT 'pending',
  "message" TEXT NOT NULL DEFAULT '',
  "conditions" JSONB NOT NULL DEFAULT '[]',
  "applied" BOOLEAN NOT NULL DEFAULT false,
  "observed_at" TIMESTAMPTZ(3) NOT NULL,
  "applied_digest" TEXT NOT NULL DEFAULT '',
  -- Of the whole map, so that a removed mapping counts too.
  "map_generation" INTEGER NOT NULL DEFAULT 0,
  "map_changed_at" TIMESTAMPTZ(3)
);

CREATE TABLE "load_balancer" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "cluster" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  "exposure_id" TEXT NOT NULL REFERENCES "exposure" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "name" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "instance" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  "deleted_at" TIMESTAMPTZ(3),
  -- The address waits a while for its instance, which may come back.
  "instance_gone_at" TIMESTAMPTZ(3)
);
CREATE INDEX "load_balancer_cluster_id_idx" ON "load_balancer"("cluster_id");
CREATE UNIQUE INDEX "load_balancer_exposure_id_name_key" ON "load_balancer"("exposure_id", "name");
CREATE INDEX "load_balancer_name_trgm" ON "load_balancer" USING gin ("name" gin_trgm_ops);
CREATE INDEX "load_balancer_organization_id_name_id_idx" ON "load_balancer"("organization_id", "name" COLLATE "C", "id");

CREATE TABLE "load_balancer_status" (
  "load_balancer_id" TEXT NOT NULL PRIMARY KEY REFERENCES "load_balancer" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "phase" TEXT NOT NULL,
  "message" TEXT NOT NULL DEFAULT '',
  "address" TEXT,
  "replicas_ready" INTEGER NOT NULL DEFAULT 0,
  "backends_up" INTEGER NOT NULL DEFAULT 0,
  "backends_total" INTEGER NOT NULL DEFAULT 0,
  "observed_at" TIMESTAMPTZ(3) NOT NULL
);

CREATE TABLE "replica" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "load_balancer_id" TEXT NOT NULL REFERENCES "load_balancer" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "node_id" TEXT REFERENCES "node" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
  "ordinal" INTEGER NOT NULL,
  "agent_id" TEXT REFERENCES "agent" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX "replica_agent_id_idx" ON "replica"("agent_id");
CREATE UNIQUE INDEX "replica_load_balancer_id_ordinal_key" ON "replica"("load_balancer_id", "ordinal");
CREATE INDEX "replica_node_id_idx" ON "replica"("node_id");

CREATE TABLE "replica_status" (
  "replica_id" TEXT NOT NULL PRIMARY KEY REFERENCES "replica" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "node_id" TEXT REFERENCES "node" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
  "ready" BOOLEAN NOT NULL,
  "message" TEXT NOT NULL DEFAULT '',
  "observed_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX "replica_status_node_id_idx" ON "replica_status"("node_id");

CREATE TABLE "backend" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "load_balancer_id" TEXT NOT NULL REFERENCES "load_balancer" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "instance" TEXT NOT NULL,
  "address" INET NOT NULL,
  "port" INTEGER NOT NULL,
  "weight" INTEGER NOT NULL DEFAULT 1,
  "state" TEXT NOT NULL,
  "health" TEXT NOT NULL,
  "observed_at" TIMESTAMPTZ(3) NOT NULL,
  "protocol" TEXT NOT NULL,
  "state_since" TIMESTAMPTZ(3),
  CONSTRAINT "backend_health" CHECK ("health" IN ('up', 'down', 'unknown')),
  CONSTRAINT "backend_state" CHECK ("state" IN ('active', 'draining', 'filling', 'inactive'))
);
CREATE UNIQUE INDEX "backend_load_balancer_id_protocol_address_port_key" ON "backend"("load_balancer_id", "protocol", "address", "port");

CREATE TABLE "backend_status" (
  "backend_id" TEXT NOT NULL REFERENCES "backend" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "replica_id" TEXT NOT NULL REFERENCES "replica" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "health" TEXT NOT NULL,
  "message" TEXT NOT NULL DEFAULT '',
  "since" TIMESTAMPTZ(3),
  "live_connections" BIGINT NOT NULL DEFAULT 0,
  "observed_at" TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY ("backend_id", "replica_id")
);
CREATE INDEX "backend_status_replica_id_idx" ON "backend_status"("replica_id");

-- Instances that agents or Kubernetes report. The backends of our own balancers are chosen from them.
CREATE TABLE "instance" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "name" TEXT NOT NULL,
  "workload" TEXT NOT NULL,
  "node_name" TEXT NOT NULL,
  "ready" BOOLEAN NOT NULL,
  "labels" JSONB NOT NULL DEFAULT '{}',
  "source" TEXT NOT NULL,
  "changed_at" TIMESTAMPTZ(3) NOT NULL,
  -- One of each address family of its network, the preferred one first.
  "addresses" INET[] NOT NULL,
  -- Its share of new connections, relative to other instances.
  "weight" INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT "instance_addresses" CHECK (cardinality("addresses") > 0)
);
CREATE UNIQUE INDEX "instance_cluster_id_name_key" ON "instance"("cluster_id", "name");
CREATE INDEX "instance_cluster_id_workload_idx" ON "instance"("cluster_id", "workload");
CREATE INDEX "instance_organization_id_name_id_idx" ON "instance"("organization_id", "name", "id");

CREATE TABLE "address_pool" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "name" TEXT NOT NULL,
  "prefix" INET NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Two pools of one cluster never share an address.
  CONSTRAINT "address_pool_no_overlap" EXCLUDE USING gist ("cluster_id" WITH =, "prefix" inet_ops WITH &&)
);
CREATE UNIQUE INDEX "address_pool_cluster_id_name_key" ON "address_pool"("cluster_id", "name");
CREATE INDEX "address_pool_organization_id_name_idx" ON "address_pool"("organization_id", "name");

CREATE TABLE "virtual_address" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "pool_id" TEXT NOT NULL REFERENCES "address_pool" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  "load_balancer_id" TEXT REFERENCES "load_balancer" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "address" INET NOT NULL,
  "allocated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "released_by_id" TEXT REFERENCES "load_balancer" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  -- A balancer's former address stays taken until it is no longer seen outside.
  -- Assigned earlier, two machines would answer at it.
  CONSTRAINT "virtual_address_held_or_released" CHECK (num_nonnulls("load_balancer_id", "released_by_id") = 1)
);
CREATE UNIQUE INDEX "virtual_address_load_balancer_id_key" ON "virtual_address"("load_balancer_id");
CREATE UNIQUE INDEX "virtual_address_pool_id_address_key" ON "virtual_address"("pool_id", "address");
CREATE INDEX "virtual_address_released_by_id_idx" ON "virtual_address"("released_by_id");

CREATE TABLE "address_mapping" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "exposure_id" TEXT NOT NULL,
  "load_balancer_id" TEXT NOT NULL REFERENCES "load_balancer" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "instance" TEXT NOT NULL,
  "internal_address" INET NOT NULL,
  "internal_port" INTEGER NOT NULL,
  "external_address" TEXT NOT NULL,
  "external_port" INTEGER NOT NULL,
  "ready" BOOLEAN NOT NULL DEFAULT false,
  "generation" INTEGER NOT NULL DEFAULT 1,
  "observed_at" TIMESTAMPTZ(3) NOT NULL,
  "protocol" TEXT NOT NULL,
  "pod" TEXT,
  "node" TEXT,
  "since" TIMESTAMPTZ(3) NOT NULL,
  "server_name" TEXT
);
CREATE UNIQUE INDEX "address_mapping_exposure_id_protocol_internal_address_inter_key" ON "address_mapping"("exposure_id", "protocol", "internal_address", "internal_port");
CREATE INDEX "address_mapping_load_balancer_id_idx" ON "address_mapping"("load_balancer_id");
CREATE INDEX "address_mapping_organization_id_external_address_idx" ON "address_mapping"("organization_id", "external_address");
CREATE INDEX "address_mapping_organization_id_instance_id_idx" ON "address_mapping"("organization_id", "instance" COLLATE "C", "id");
CREATE INDEX "address_mapping_organization_id_internal_address_idx" ON "address_mapping"("organization_id", "internal_address");

CREATE TABLE "address_mapping_change" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "exposure_id" TEXT NOT NULL REFERENCES "exposure" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "instance" TEXT NOT NULL,
  "what" TEXT NOT NULL,
  "before" JSONB,
  "after" JSONB,
  "generation" INTEGER NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX "address_mapping_change_exposure_id_at_id_idx" ON "address_mapping_change"("exposure_id", "at", "id");
CREATE INDEX "address_mapping_change_organization_id_at_id_idx" ON "address_mapping_change"("organization_id", "at", "id");

-- Who read an exposure's address map, counted by hour: a row for each read would be many rows and say no more.
CREATE TABLE "map_read" (
  "exposure_id" TEXT NOT NULL REFERENCES "exposure" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "hour" TIMESTAMPTZ(3) NOT NULL,
  "actor_kind" TEXT NOT NULL,
  "actor_id" TEXT NOT NULL,
  "actor_name" TEXT NOT NULL,
  "address" TEXT NOT NULL,
  "format" TEXT NOT NULL,
  "count" INTEGER NOT NULL,
  "first_at" TIMESTAMPTZ(3) NOT NULL,
  "last_at" TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY ("exposure_id", "hour", "actor_kind", "actor_id", "address", "format")
);
CREATE INDEX "map_read_hour_idx" ON "map_read"("hour");

-- Message counters rise with every report, so they are here and not in bgp_session, where a changed row is news.
CREATE TABLE "bgp_status" (
  "agent_id" TEXT NOT NULL PRIMARY KEY REFERENCES "agent" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "address" TEXT NOT NULL DEFAULT '',
  "asn" BIGINT NOT NULL DEFAULT 0,
  "router_id" TEXT NOT NULL DEFAULT '',
  "routes_left_out" BIGINT NOT NULL DEFAULT 0,
  "observed_at" TIMESTAMPTZ(3) NOT NULL,
  "messages" JSONB NOT NULL DEFAULT '{}'
);

CREATE TABLE "bgp_session" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "agent_id" TEXT NOT NULL REFERENCES "agent" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "peer_address" INET NOT NULL,
  "peer_asn" BIGINT NOT NULL,
  "local_asn" BIGINT NOT NULL,
  "state" TEXT NOT NULL,
  "state_since" TIMESTAMPTZ(3),
  "last_error" TEXT NOT NULL DEFAULT '',
  "observed_at" TIMESTAMPTZ(3) NOT NULL,
  "peer_router_id" TEXT NOT NULL DEFAULT '',
  "hold_seconds" INTEGER NOT NULL DEFAULT 0,
  "routes_received" BIGINT NOT NULL DEFAULT 0,
  "routes_accepted" BIGINT NOT NULL DEFAULT 0,
  "routes_advertised" BIGINT NOT NULL DEFAULT 0,
  "established_count" BIGINT NOT NULL DEFAULT 0,
  "detection" TEXT NOT NULL DEFAULT '',
  "is_full" BOOLEAN NOT NULL DEFAULT false,
  "keepalive_seconds" INTEGER NOT NULL DEFAULT 0,
  "detect_interval_ms" INTEGER NOT NULL DEFAULT 0,
  "detect_multiplier" INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX "bgp_session_agent_id_peer_address_key" ON "bgp_session"("agent_id", "peer_address");
CREATE INDEX "bgp_session_cluster_id_idx" ON "bgp_session"("cluster_id");
CREATE INDEX "bgp_session_organization_id_idx" ON "bgp_session"("organization_id");

CREATE TABLE "announcement" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "agent_id" TEXT NOT NULL REFERENCES "agent" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "prefix" INET NOT NULL,
  "next_hop" INET NOT NULL,
  "load_balancer_id" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "state_since" TIMESTAMPTZ(3) NOT NULL,
  "reason" TEXT NOT NULL DEFAULT '',
  "observed_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX "announcement_agent_id_prefix_key" ON "announcement"("agent_id", "prefix");
-- Views look up the announcer of a next hop for each row that they return.
CREATE INDEX "announcement_cluster_id_next_hop_prefix_idx" ON "announcement"("cluster_id", "next_hop", "prefix");
CREATE INDEX "announcement_load_balancer_id_idx" ON "announcement"("load_balancer_id");
CREATE INDEX "announcement_organization_id_idx" ON "announcement"("organization_id");

-- Each state change of a session or an announcement. Events suppress flapping, these rows don't.
-- They outlive their agent.
CREATE TABLE "bgp_transition" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "agent_id" TEXT NOT NULL,
  "node_name" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "about" INET NOT NULL,
  "peer_asn" BIGINT,
  "next_hop" INET,
  "load_balancer_id" TEXT NOT NULL DEFAULT '',
  "from_state" TEXT,
  "to_state" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "reason" TEXT NOT NULL DEFAULT ''
);
CREATE INDEX "bgp_transition_agent_id_kind_about_at_id_idx" ON "bgp_transition"("agent_id", "kind", "about", "at", "id");
CREATE INDEX "bgp_transition_cluster_id_at_id_idx" ON "bgp_transition"("cluster_id", "at", "id");
CREATE INDEX "bgp_transition_organization_id_at_id_idx" ON "bgp_transition"("organization_id", "at", "id");

CREATE TABLE "route" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "agent_id" TEXT NOT NULL REFERENCES "agent" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "prefix" INET NOT NULL,
  "observed_at" TIMESTAMPTZ(3) NOT NULL,
  "since" TIMESTAMPTZ(3) NOT NULL,
  "next_hops" JSONB NOT NULL,
  -- When the next hops last changed. A removed next hop leaves no other trace.
  "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX "route_agent_id_prefix_key" ON "route"("agent_id", "prefix");
CREATE INDEX "route_cluster_id_idx" ON "route"("cluster_id");
CREATE INDEX "route_organization_id_idx" ON "route"("organization_id");

-- The steps of each recent route update.
CREATE TABLE "route_update" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "prefix" INET NOT NULL,
  "next_hop" INET NOT NULL,
  "is_withdrawal" BOOLEAN NOT NULL,
  "began_at" TIMESTAMPTZ(3) NOT NULL,
  "steps" JSONB NOT NULL,
  "phases" JSONB NOT NULL
);
-- Retention deletes the oldest of each cluster.
CREATE INDEX "route_update_cluster_id_began_at_id_idx" ON "route_update"("cluster_id", "began_at", "id");
CREATE INDEX "route_update_cluster_id_prefix_next_hop_began_at_idx" ON "route_update"("cluster_id", "prefix", "next_hop", "began_at");
CREATE INDEX "route_update_organization_id_began_at_idx" ON "route_update"("organization_id", "began_at");

-- How long the phases of older updates took, counted by hour.
CREATE TABLE "route_delay" (
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "hour" TIMESTAMPTZ(3) NOT NULL,
  "phase" TEXT NOT NULL,
  "is_withdrawal" BOOLEAN NOT NULL,
  "bucket" INTEGER NOT NULL,
  "count" BIGINT NOT NULL,
  "ms_max" DOUBLE PRECISION NOT NULL,
  PRIMARY KEY ("cluster_id", "hour", "phase", "is_withdrawal", "bucket")
);
CREATE INDEX "route_delay_organization_id_hour_idx" ON "route_delay"("organization_id", "hour");

-- How a cloud routes service addresses to replicas, where no router accepts BGP.
CREATE TABLE "cloud_route" (
  "cluster_id" TEXT NOT NULL PRIMARY KEY REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "settings" JSONB NOT NULL,
  "credentials" TEXT NOT NULL,
  "applied_settings" JSONB,
  "applied_credentials" TEXT NOT NULL DEFAULT '',
  "deleted_at" TIMESTAMPTZ(3)
);

CREATE TABLE "cloud_address" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "address" INET NOT NULL,
  "load_balancer_id" TEXT NOT NULL,
  "agent_id" TEXT,
  "to_address" TEXT NOT NULL DEFAULT '',
  "decided_at" TIMESTAMPTZ(3) NOT NULL,
  "from_name" TEXT NOT NULL DEFAULT '',
  "state" TEXT NOT NULL,
  "reason" TEXT NOT NULL DEFAULT '',
  "interface_id" TEXT NOT NULL DEFAULT '',
  "since" TIMESTAMPTZ(3),
  "observed_at" TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX "cloud_address_cluster_id_address_key" ON "cloud_address"("cluster_id", "address");
CREATE INDEX "cloud_address_organization_id_idx" ON "cloud_address"("organization_id");

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
  "urgent" BOOLEAN NOT NULL DEFAULT false,
  PRIMARY KEY ("kind", "object_id")
);
-- A resting task is never claimed, so it isn't in the way of those that are.
CREATE INDEX "reconcile_task_due" ON "reconcile_task"("due_at") WHERE NOT "resting";
-- Changes by a user are claimed before tasks that come due on their own.
CREATE INDEX "reconcile_task_urgent" ON "reconcile_task"("due_at") WHERE "urgent" AND NOT "resting";

CREATE TABLE "event" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "severity" TEXT NOT NULL,
  "reason" TEXT NOT NULL,
  "message" TEXT NOT NULL,
  "subject_kind" TEXT NOT NULL,
  "subject_id" TEXT NOT NULL,
  "subject_name" TEXT NOT NULL
);
-- Retention deletes the oldest of all organisations.
CREATE INDEX "event_at_idx" ON "event"("at");
CREATE INDEX "event_organization_id_at_id_idx" ON "event"("organization_id", "at", "id");
CREATE INDEX "event_organization_id_subject_id_at_idx" ON "event"("organization_id", "subject_id", "at" DESC);
CREATE INDEX "event_text_trgm" ON "event" USING gin ("message" gin_trgm_ops, "reason" gin_trgm_ops, "subject_name" gin_trgm_ops);

CREATE TABLE "feed_entry" (
  "id" BIGSERIAL NOT NULL PRIMARY KEY,
  "transaction" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT,
  "subject_kind" TEXT NOT NULL,
  "subject_id" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX "feed_entry_at_idx" ON "feed_entry"("at");
CREATE INDEX "feed_entry_transaction_id_idx" ON "feed_entry"("transaction", "id");

CREATE TABLE "idempotency_key" (
  "organization_id" TEXT NOT NULL,
  "key" TEXT NOT NULL,
  "request_digest" TEXT NOT NULL,
  "body" JSONB,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY ("organization_id", "key")
);
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

-- A caller waits seconds for each answer. Rows lost in a crash are not missed.
CREATE UNLOGGED TABLE "agent_question" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "agent_id" TEXT NOT NULL REFERENCES "agent" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "asked" JSONB NOT NULL,
  "requested_at" TIMESTAMPTZ(3) NOT NULL,
  "answer" JSONB
);
CREATE INDEX "agent_question_agent_id_idx" ON "agent_question"("agent_id");

CREATE TABLE "series" (
  "id" SERIAL NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "subject_id" TEXT NOT NULL,
  "metric" TEXT NOT NULL,
  "labels" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX "series_subject_id_metric_labels_key" ON "series"("subject_id", "metric", "labels");

CREATE TABLE "sample" (
  "series_id" INTEGER NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "value" DOUBLE PRECISION NOT NULL,
  PRIMARY KEY ("series_id", "at")
) PARTITION BY RANGE ("at");
-- Samples arrive almost in order of time: a few bytes per 32 pages find a minute among an hour of all series.
CREATE INDEX "sample_at_idx" ON "sample" USING BRIN ("at") WITH (pages_per_range = 32, autosummarize = on);

CREATE TABLE "sample_minute" (
  "series_id" INTEGER NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "count" INTEGER NOT NULL,
  "sum" DOUBLE PRECISION NOT NULL,
  "min" DOUBLE PRECISION NOT NULL,
  "max" DOUBLE PRECISION NOT NULL,
  PRIMARY KEY ("series_id", "at")
) PARTITION BY RANGE ("at");
CREATE INDEX "sample_minute_at_idx" ON "sample_minute" USING BRIN ("at") WITH (pages_per_range = 32, autosummarize = on);

CREATE TABLE "sample_hour" (
  "series_id" INTEGER NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "count" INTEGER NOT NULL,
  "sum" DOUBLE PRECISION NOT NULL,
  "min" DOUBLE PRECISION NOT NULL,
  "max" DOUBLE PRECISION NOT NULL,
  -- How many minutes of the hour have samples.
  "minutes" INTEGER,
  PRIMARY KEY ("series_id", "at")
) PARTITION BY RANGE ("at");
CREATE INDEX "sample_hour_at_idx" ON "sample_hour" USING BRIN ("at") WITH (pages_per_range = 32, autosummarize = on);

CREATE TABLE "rollup_task" (
  "resolution" TEXT NOT NULL,
  "bucket_at" TIMESTAMPTZ(3) NOT NULL,
  "due_at" TIMESTAMPTZ(3) NOT NULL,
  "series_ids" INTEGER[] DEFAULT ARRAY[]::integer[],
  PRIMARY KEY ("resolution", "bucket_at")
);
CREATE INDEX "rollup_task_due_at_idx" ON "rollup_task"("due_at");

CREATE TABLE "usage_subject" (
  "id" SERIAL NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL REFERENCES "organization" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "cluster_id" TEXT NOT NULL,
  "exposure_id" TEXT NOT NULL,
  "load_balancer_id" TEXT NOT NULL,
  "facts" JSONB NOT NULL,
  -- When the load balancer first had an address or replicas.
  "served_since" TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX "usage_subject_load_balancer_id_key" ON "usage_subject"("load_balancer_id");
CREATE INDEX "usage_subject_organization_id_cluster_id_exposure_id_idx" ON "usage_subject"("organization_id", "cluster_id", "exposure_id");

-- Hours are counted from 1970, which keeps the key at eight bytes: there is a row for each hour of each load balancer.
CREATE TABLE "usage_hour" (
  "subject_id" INTEGER NOT NULL,
  "hour" INTEGER NOT NULL,
  "exists_seconds" SMALLINT NOT NULL,
  "address_seconds" SMALLINT NOT NULL,
  "replica_seconds" REAL NOT NULL,
  "machine_seconds" REAL NOT NULL,
  "measured_seconds" REAL NOT NULL,
  "bytes_in" DOUBLE PRECISION,
  "peak_in_bps" DOUBLE PRECISION,
  "connection_seconds" DOUBLE PRECISION,
  "connections_new" DOUBLE PRECISION,
  -- Traffic to clients, where it passes the balancer; both directions together, where the provider counts them so.
  "bytes_out" DOUBLE PRECISION,
  "bytes_both" DOUBLE PRECISION,
  "peak_both_bps" DOUBLE PRECISION,
  PRIMARY KEY ("subject_id", "hour")
);
CREATE INDEX "usage_hour_hour_idx" ON "usage_hour" USING BRIN ("hour") WITH (pages_per_range = 32, autosummarize = on);

CREATE TABLE "usage_task" (
  "hour" INTEGER NOT NULL PRIMARY KEY,
  "due_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX "usage_task_due_at_idx" ON "usage_task"("due_at");

-- Where a cloud publishes the metrics of its load balancers. How far they were read is in the two tables below.
CREATE TABLE "cloud_metrics" (
  "cluster_id" TEXT NOT NULL PRIMARY KEY REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "settings" JSONB NOT NULL,
  "credentials" TEXT NOT NULL,
  "generation" INTEGER NOT NULL DEFAULT 1
);

CREATE TABLE "cloud_metrics_status" (
  "cluster_id" TEXT NOT NULL PRIMARY KEY REFERENCES "cloud_metrics" ("cluster_id") ON DELETE CASCADE ON UPDATE CASCADE,
  "generation" INTEGER NOT NULL,
  "phase" TEXT NOT NULL,
  "message" TEXT NOT NULL DEFAULT '',
  "observed_at" TIMESTAMPTZ(3) NOT NULL,
  "since" TIMESTAMPTZ(3) NOT NULL,
  "read_at" TIMESTAMPTZ(3)
);

CREATE TABLE "cloud_metrics_balancer" (
  "load_balancer_id" TEXT NOT NULL PRIMARY KEY REFERENCES "load_balancer" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "cluster_id" TEXT NOT NULL REFERENCES "cloud_metrics" ("cluster_id") ON DELETE CASCADE ON UPDATE CASCADE,
  "kind" TEXT NOT NULL DEFAULT '',
  "metrics" INTEGER NOT NULL DEFAULT 0,
  "read_until" TIMESTAMPTZ(3),
  "problem" TEXT NOT NULL DEFAULT ''
);
CREATE INDEX "cloud_metrics_balancer_cluster_id_idx" ON "cloud_metrics_balancer"("cluster_id");

CREATE TABLE "experiment" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "cluster" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "change_every_seconds" INTEGER NOT NULL,
  "duration_seconds" INTEGER NOT NULL,
  "fewest_replicas" INTEGER NOT NULL,
  "seed" BIGINT NOT NULL,
  "replicas" JSONB NOT NULL,
  "state" TEXT NOT NULL,
  "reason" TEXT NOT NULL DEFAULT '',
  "drained" TEXT[] NOT NULL DEFAULT '{}',
  "started_by" TEXT NOT NULL,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3),
  "change_count" INTEGER NOT NULL DEFAULT 0,
  "settled_count" INTEGER NOT NULL DEFAULT 0,
  "slowest_ms" INTEGER,
  "broken_connections" INTEGER,
  "broken_counted_at" TIMESTAMPTZ(3)
);
-- Two at once would measure each other.
CREATE UNIQUE INDEX "experiment_one_running" ON "experiment"("cluster_id") WHERE "state" = 'running';
CREATE INDEX "experiment_organization_id_started_at_idx" ON "experiment"("organization_id", "started_at");

CREATE TABLE "experiment_step" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "experiment_id" TEXT NOT NULL REFERENCES "experiment" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "kind" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "replicas" TEXT[] NOT NULL,
  "number" INTEGER,
  "routes_before" TIMESTAMPTZ(3),
  "settled_at" TIMESTAMPTZ(3)
);
CREATE INDEX "experiment_step_experiment_id_kind_at_idx" ON "experiment_step"("experiment_id", "kind", "at");
-- A choice is made once, whichever controller makes it.
CREATE UNIQUE INDEX "experiment_step_number" ON "experiment_step"("experiment_id", "number");

CREATE TABLE "price_point" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "provider" TEXT NOT NULL,
  "region" TEXT NOT NULL,
  "sku" TEXT NOT NULL,
  "unit" TEXT NOT NULL,
  "from_units" DOUBLE PRECISION NOT NULL CHECK ("from_units" >= 0),
  "micros" BIGINT NOT NULL CHECK ("micros" >= 0),
  "per" BIGINT NOT NULL CHECK ("per" > 0),
  "currency" TEXT NOT NULL,
  "as_of" TEXT NOT NULL CHECK ("as_of" ~ '^(\d{4}-\d{2}-\d{2})?$'),
  "source" TEXT NOT NULL,
  "confidence" TEXT NOT NULL,
  "recorded_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX "price_point_provider_region_sku_unit_from_units_currency_as_key"
  ON "price_point"("provider", "region", "sku", "unit", "from_units", "currency", "as_of");

CREATE TABLE "price_list" (
  "name" TEXT NOT NULL PRIMARY KEY,
  "digest" TEXT NOT NULL,
  "taken_at" TIMESTAMPTZ(3) NOT NULL
);

-- What price points were before a correction: a link to an estimate must show the same amounts later.
CREATE TABLE "corrected_price" (
  "id" BIGSERIAL NOT NULL PRIMARY KEY,
  "provider" TEXT NOT NULL,
  "region" TEXT NOT NULL,
  "sku" TEXT NOT NULL,
  "unit" TEXT NOT NULL,
  "from_units" DOUBLE PRECISION NOT NULL,
  "micros" BIGINT NOT NULL,
  "per" BIGINT NOT NULL,
  "currency" TEXT NOT NULL,
  "as_of" TEXT NOT NULL,
  "source" TEXT NOT NULL,
  "confidence" TEXT NOT NULL,
  "recorded_at" TIMESTAMPTZ(3) NOT NULL,
  "corrected_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX "corrected_price_corrected_at_idx" ON "corrected_price"("corrected_at");

CREATE TABLE "negotiated_price" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "region" TEXT NOT NULL,
  "sku" TEXT NOT NULL,
  "unit" TEXT NOT NULL,
  "micros" BIGINT CHECK ("micros" >= 0),
  "per" BIGINT CHECK ("per" > 0),
  "currency" TEXT,
  "discount_percent" DOUBLE PRECISION CHECK ("discount_percent" > 0 AND "discount_percent" <= 100),
  "valid_from" TEXT NOT NULL CHECK ("valid_from" ~ '^\d{4}-\d{2}-\d{2}$'),
  "note" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  -- Either an amount or a discount. Neither would look free.
  CONSTRAINT "negotiated_price_is_one" CHECK (
    CASE WHEN "discount_percent" IS NULL THEN num_nulls("micros", "per", "currency") = 0
    ELSE num_nonnulls("micros", "per", "currency") = 0 END)
);
CREATE UNIQUE INDEX "negotiated_price_organization_id_provider_region_sku_valid__key"
  ON "negotiated_price"("organization_id", "provider", "region", "sku", "valid_from");

CREATE TABLE "own_machine" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "cores" INTEGER NOT NULL CHECK ("cores" > 0),
  "network_mbps" INTEGER NOT NULL CHECK ("network_mbps" > 0),
  "currency" TEXT NOT NULL,
  "purchase_micros" BIGINT NOT NULL CHECK ("purchase_micros" >= 0),
  "amortised_months" INTEGER NOT NULL CHECK ("amortised_months" > 0),
  "power_watts" DOUBLE PRECISION NOT NULL CHECK ("power_watts" >= 0),
  "kwh_micros" BIGINT NOT NULL CHECK ("kwh_micros" >= 0),
  "pue" DOUBLE PRECISION NOT NULL CHECK ("pue" >= 1),
  "hosting_monthly_micros" BIGINT NOT NULL CHECK ("hosting_monthly_micros" >= 0),
  "staff_hours_per_month" DOUBLE PRECISION NOT NULL CHECK ("staff_hours_per_month" >= 0),
  "staff_hourly_micros" BIGINT NOT NULL CHECK ("staff_hourly_micros" >= 0),
  "staff_share" DOUBLE PRECISION NOT NULL CHECK ("staff_share" >= 0 AND "staff_share" <= 1),
  "valid_from" TEXT NOT NULL CHECK ("valid_from" ~ '^\d{4}-\d{2}-\d{2}$'),
  "note" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX "own_machine_organization_id_name_valid_from_key"
  ON "own_machine"("organization_id", "name", "valid_from");

CREATE TABLE "currency_rate" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "from_currency" TEXT NOT NULL,
  "to_currency" TEXT NOT NULL,
  "rate" DOUBLE PRECISION NOT NULL CHECK ("rate" > 0),
  "as_of" TEXT NOT NULL CHECK ("as_of" ~ '^\d{4}-\d{2}-\d{2}$'),
  "source" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "currency_rate_is_of_two" CHECK ("from_currency" <> "to_currency")
);
CREATE INDEX "currency_rate_organization_id_idx" ON "currency_rate"("organization_id");
CREATE UNIQUE INDEX "currency_rate_pair" ON "currency_rate"(
  "organization_id", least("from_currency", "to_currency"), greatest("from_currency", "to_currency"), "as_of");

CREATE TABLE "price_refresh" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "feed" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "reason" TEXT NOT NULL DEFAULT '',
  "is_scheduled" BOOLEAN NOT NULL,
  "requested_by" TEXT NOT NULL,
  "requested_at" TIMESTAMPTZ(3) NOT NULL,
  "started_at" TIMESTAMPTZ(3),
  "ended_at" TIMESTAMPTZ(3),
  "attempt" INTEGER NOT NULL DEFAULT 0,
  "lease_until" TIMESTAMPTZ(3),
  "as_of" TEXT,
  "source" TEXT,
  "read_count" INTEGER NOT NULL DEFAULT 0,
  "applied_count" INTEGER NOT NULL DEFAULT 0,
  "unchanged_count" INTEGER NOT NULL DEFAULT 0,
  "skipped_count" INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX "price_refresh_feed_requested_at_idx" ON "price_refresh"("feed", "requested_at");
-- Two at once would each judge prices that the other is about to change.
CREATE UNIQUE INDEX "price_refresh_one_open" ON "price_refresh"("feed") WHERE "state" IN ('waiting', 'running');

CREATE TABLE "held_price" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "refresh_id" TEXT NOT NULL REFERENCES "price_refresh" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "feed" TEXT NOT NULL,
  "price_key" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "region" TEXT NOT NULL,
  "sku" TEXT NOT NULL,
  "unit" TEXT NOT NULL,
  "currency" TEXT NOT NULL,
  "as_of" TEXT NOT NULL,
  "source" TEXT NOT NULL,
  "before" JSONB NOT NULL,
  "after" JSONB NOT NULL,
  "reasons" JSONB NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'waiting',
  "decided_by" TEXT,
  "decided_at" TIMESTAMPTZ(3)
);
CREATE INDEX "held_price_feed_price_key_decided_at_idx" ON "held_price"("feed", "price_key", "decided_at");
CREATE INDEX "held_price_refresh_id_idx" ON "held_price"("refresh_id");

-- A changed price point leaves its former values in corrected_price.
CREATE FUNCTION keep_corrected_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO corrected_price (provider, region, sku, unit, from_units, micros, per, currency, as_of, source, confidence, recorded_at, corrected_at)
  VALUES (OLD.provider, OLD.region, OLD.sku, OLD.unit, OLD.from_units, OLD.micros, OLD.per, OLD.currency, OLD.as_of, OLD.source,
    OLD.confidence, OLD.recorded_at, CASE WHEN TG_OP = 'UPDATE' THEN NEW.recorded_at ELSE now() END);
  RETURN NULL;
END $$;
CREATE TRIGGER keep_corrected_price AFTER UPDATE OR DELETE ON "price_point"
  FOR EACH ROW EXECUTE FUNCTION keep_corrected_price();

-- The sort key of an address or prefix: IPv4 by number, then IPv6 by number, then host names, then no address.
-- Only text with a colon is cast on trial, because a failed cast is expensive.
CREATE FUNCTION address_key(address text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF address IS NULL THEN
    RETURN '~';
  END IF;
  IF address ~ '^((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(/([12]?[0-9]|3[0-2]))?$' THEN
    RETURN encode(inet_send(address::inet), 'hex');
  END IF;
  IF strpos(address, ':') > 0 THEN
    BEGIN
      RETURN encode(inet_send(address::inet), 'hex');
    EXCEPTION WHEN invalid_text_representation THEN
      NULL;
    END;
  END IF;
  RETURN 'h' || lower(address);
END
$$;

-- Whether an exposure of this workload exposes an instance: by its labels, or by the name of its workload. Pods of Kubernetes
-- are named "namespace/pod" and their workload "kind namespace/name": labels select only in their own namespace.
-- A workload without a namespace is in "default".
CREATE FUNCTION "exposes"(exposed jsonb, instance_name text, instance_workload text, instance_labels jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN exposed ->> 'kind' = 'selector' THEN instance_labels @> (exposed -> 'selector')
      AND (instance_name NOT LIKE '%/%' OR starts_with(instance_name, (exposed ->> 'namespace') || '/'))
    ELSE instance_workload = (exposed ->> 'kind') || ' ' || (exposed ->> 'namespace') || '/' || (exposed ->> 'name')
      OR instance_workload = (exposed ->> 'namespace') || '/' || (exposed ->> 'name')
      OR (exposed ->> 'namespace' = 'default' AND instance_workload = exposed ->> 'name') END
$$;
