CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"player_id" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_sign_in_at" timestamp with time zone,
	"sign_in_places" text[] DEFAULT '{}' NOT NULL,
	"chat_silenced" text[] DEFAULT '{}' NOT NULL,
	"banned_at" timestamp with time zone,
	"banned_for" text,
	"lends_key" boolean DEFAULT false NOT NULL,
	"shares_opponent_stats" boolean DEFAULT false NOT NULL,
	"attacks_attempt" timestamp with time zone,
	"attacks_seen" timestamp with time zone,
	CONSTRAINT "accounts_playerId_unique" UNIQUE("player_id")
);
--> statement-breakpoint
CREATE TABLE "chat_identities" (
	"chat_id" bigint PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"linked_at" timestamp with time zone NOT NULL,
	"last_sign_in_at" timestamp with time zone,
	CONSTRAINT "chat_identities_accountId_unique" UNIQUE("account_id")
);
--> statement-breakpoint
CREATE TABLE "game_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"player_id" integer NOT NULL,
	"sealed" text,
	"key_hmac" text NOT NULL,
	"last_four" text NOT NULL,
	"level" integer NOT NULL,
	"type" text NOT NULL,
	"selections" text[],
	"faction_api_access" boolean NOT NULL,
	"state" text NOT NULL,
	"last_error" text,
	"last_ok_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"owner_attempt" timestamp with time zone DEFAULT '-infinity' NOT NULL,
	CONSTRAINT "game_keys_keyHmac_unique" UNIQUE("key_hmac")
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"path" text,
	"created_at" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"backed_up" boolean NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"address" text,
	"user_agent" text,
	"confirmed_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "passkeys_credentialId_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "proofs" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"browser_hash" text,
	"account_id" uuid,
	"hash_key_id" text,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "second_factor_guesses" (
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"recent" timestamp with time zone[] NOT NULL,
	"in_a_row" integer NOT NULL,
	"told" boolean DEFAULT false NOT NULL,
	CONSTRAINT "second_factor_guesses_account_id_kind_pk" PRIMARY KEY("account_id","kind")
);
--> statement-breakpoint
CREATE TABLE "second_factors" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"last_step" bigint
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"authenticated_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"second_factor_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"address" text,
	"user_agent" text
);
--> statement-breakpoint
CREATE TABLE "chat_messages" (
	"subject" text PRIMARY KEY NOT NULL,
	"channel_id" bigint,
	"recipient_id" bigint,
	"message" jsonb NOT NULL,
	"version" integer NOT NULL,
	"delivered" integer DEFAULT 0 NOT NULL,
	"message_id" bigint,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone,
	"lease" integer DEFAULT 0 NOT NULL,
	"lease_until" timestamp with time zone,
	"last_error" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_server_factions" (
	"server_id" bigint NOT NULL,
	"faction_id" integer NOT NULL,
	"banking_channel_id" bigint,
	"banking_role_ids" bigint[] NOT NULL,
	CONSTRAINT "chat_server_factions_server_id_faction_id_pk" PRIMARY KEY("server_id","faction_id")
);
--> statement-breakpoint
CREATE TABLE "chat_servers" (
	"id" bigint PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"last_refresh" timestamp with time zone NOT NULL,
	"admin_ids" bigint[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "consent_periods" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"consent_id" uuid NOT NULL,
	"began" timestamp with time zone NOT NULL,
	"ended" timestamp with time zone,
	"scopes" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_inbox" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"scope" text,
	"at" timestamp with time zone NOT NULL,
	"revision" bigint DEFAULT (extract(epoch from clock_timestamp()) * 1000000)::bigint NOT NULL,
	"subject" text NOT NULL,
	"faction_id" integer,
	"player_id" integer,
	"client_id" text,
	"grant_id" uuid,
	"data" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_log" (
	"epoch" integer PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"server" text,
	"is_over" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"scope" text,
	"at" timestamp with time zone NOT NULL,
	"revision" bigint DEFAULT (extract(epoch from clock_timestamp()) * 1000000)::bigint NOT NULL,
	"subject" text NOT NULL,
	"faction_id" integer,
	"player_id" integer,
	"client_id" text,
	"grant_id" uuid,
	"data" jsonb NOT NULL
) PARTITION BY RANGE ("seq");
--> statement-breakpoint
CREATE TABLE "faction_access" (
	"faction_id" integer NOT NULL,
	"client_id" text NOT NULL,
	"blocked" boolean NOT NULL,
	"allowed_since" timestamp with time zone,
	"decided_at" timestamp with time zone NOT NULL,
	"decided_by" uuid,
	CONSTRAINT "faction_access_faction_id_client_id_pk" PRIMARY KEY("faction_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "faction_positions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"faction_id" integer NOT NULL,
	"name" text NOT NULL,
	"is_default" boolean NOT NULL,
	"abilities" text[] NOT NULL,
	"last_seen" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone,
	"decides_access" boolean DEFAULT false NOT NULL,
	CONSTRAINT "faction_positions_name" UNIQUE("faction_id","name")
);
--> statement-breakpoint
CREATE TABLE "organized_crime_delays" (
	"crime_id" integer NOT NULL,
	"slot" text NOT NULL,
	"player_id" integer NOT NULL,
	"faction_id" integer NOT NULL,
	"position" text NOT NULL,
	"position_index" integer NOT NULL,
	"reason" text NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "organized_crime_delays_crime_id_slot_player_id_pk" PRIMARY KEY("crime_id","slot","player_id")
);
--> statement-breakpoint
CREATE TABLE "organized_crimes" (
	"id" integer PRIMARY KEY NOT NULL,
	"faction_id" integer NOT NULL,
	"name" text NOT NULL,
	"last_seen" timestamp with time zone NOT NULL,
	"delayed_since" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "retaliations" (
	"code" text PRIMARY KEY NOT NULL,
	"faction_id" integer NOT NULL,
	"attack_ended" timestamp with time zone NOT NULL,
	"defender_id" integer NOT NULL,
	"defender_name" text NOT NULL,
	"attacker_id" integer NOT NULL,
	"attacker_name" text NOT NULL,
	"answered_at" timestamp with time zone,
	"closed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "vault_readings" (
	"faction_id" integer PRIMARY KEY NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	"balances" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vault_requests" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "vault_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"guid" uuid NOT NULL,
	"faction_id" integer NOT NULL,
	"player_id" integer NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"closed_by" integer,
	"verification" text,
	"news_id" text,
	"channel_id" bigint,
	"reason" text,
	"claimed_by" integer,
	"claimed_until" timestamp with time zone,
	CONSTRAINT "vault_requests_guid_unique" UNIQUE("guid"),
	CONSTRAINT "vault_requests_newsId_unique" UNIQUE("news_id")
);
--> statement-breakpoint
CREATE TABLE "access_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"hash_key_id" text NOT NULL,
	"grant_id" uuid NOT NULL,
	"scopes" text[] NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "application_domains" (
	"client_id" text PRIMARY KEY NOT NULL,
	"domain" text NOT NULL,
	"proven_at" timestamp with time zone,
	"proven_by" text,
	"seen_at" timestamp with time zone,
	"misses" integer DEFAULT 0 NOT NULL,
	"check_at" timestamp with time zone,
	"checked_at" timestamp with time zone,
	"dns_finding" text,
	"file_finding" text
);
--> statement-breakpoint
CREATE TABLE "application_members" (
	"client_id" text NOT NULL,
	"account_id" uuid NOT NULL,
	"role" text NOT NULL,
	"invited_at" timestamp with time zone NOT NULL,
	"joined_at" timestamp with time zone,
	"offered_at" timestamp with time zone,
	CONSTRAINT "application_members_client_id_account_id_pk" PRIMARY KEY("client_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "application_reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"account_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"reported_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone,
	"outcome" text
);
--> statement-breakpoint
CREATE TABLE "application_secrets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"hash_key_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid,
	"last_used_at" timestamp with time zone,
	"saved_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "application_testers" (
	"client_id" text NOT NULL,
	"account_id" uuid NOT NULL,
	"added_at" timestamp with time zone NOT NULL,
	CONSTRAINT "application_testers_client_id_account_id_pk" PRIMARY KEY("client_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "applications" (
	"client_id" text PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"emblem_sign" text,
	"emblem_colour" text,
	"redirect_uris" text[] NOT NULL,
	"scopes" text[] NOT NULL,
	"optional_scopes" text[] DEFAULT '{}' NOT NULL,
	"client_uri" text NOT NULL,
	"tos_uri" text NOT NULL,
	"privacy_uri" text NOT NULL,
	"privacy" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"verified_at" timestamp with time zone,
	"verified_as" jsonb,
	"suspended_at" timestamp with time zone,
	"suspended_for" text,
	"opened_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "authorization_codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"hash_key_id" text NOT NULL,
	"grant_id" uuid NOT NULL,
	"client_id" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"code_challenge" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"consumed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "authorization_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"scopes" text[] NOT NULL,
	"state" text NOT NULL,
	"code_challenge" text,
	"prompt" text,
	"browser_hash" text NOT NULL,
	"account_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"decided_at" timestamp with time zone,
	"sealed_answer" text
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"client_id" text NOT NULL,
	"scopes" text[] NOT NULL,
	"approved_scopes" text[] DEFAULT '{}' NOT NULL,
	"application_name" text DEFAULT '' NOT NULL,
	"application_owner" uuid NOT NULL,
	"redirect_hosts" text[] DEFAULT '{}' NOT NULL,
	"until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"paused_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"consent_id" uuid NOT NULL,
	"client_id" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"absolute_expiry" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"revoked_for" text
);
--> statement-breakpoint
CREATE TABLE "refresh_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"hash_key_id" text NOT NULL,
	"grant_id" uuid NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"consumed_at" timestamp with time zone,
	"successor_hash" text,
	"sealed_reply" text
);
--> statement-breakpoint
CREATE TABLE "verification_requests" (
	"client_id" text PRIMARY KEY NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"outcome" text,
	"closed_at" timestamp with time zone,
	"reason" text
);
--> statement-breakpoint
CREATE TABLE "app_state" (
	"key" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigserial NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"act" text NOT NULL,
	"actor" text NOT NULL,
	"account_id" uuid,
	"client_id" text,
	"request_id" text,
	"address" text,
	"details" jsonb NOT NULL
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "game_budgets" (
	"player_id" integer PRIMARY KEY NOT NULL,
	"slot" timestamp with time zone NOT NULL,
	"used" integer NOT NULL,
	"earlier" integer[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_records" (
	"account_id" uuid NOT NULL,
	"client_id" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"status" integer,
	"body" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_records_account_id_client_id_key_pk" PRIMARY KEY("account_id","client_id","key")
);
--> statement-breakpoint
CREATE TABLE "instances" (
	"id" uuid PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"last_seen" timestamp with time zone NOT NULL,
	"shared_limits" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"job" text NOT NULL,
	"slot" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"lease" integer DEFAULT 0 NOT NULL,
	"lease_until" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"outcome" text,
	"counts" jsonb,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "request_log" (
	"id" bigserial NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"request_id" text NOT NULL,
	"method" text NOT NULL,
	"route" text NOT NULL,
	"status" integer NOT NULL,
	"failure_code" integer,
	"account_id" uuid,
	"client_id" text,
	"address" text,
	"path" text,
	"user_agent" text,
	"micros" integer NOT NULL,
	"failure" jsonb
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "traffic_hours" (
	"client_id" text NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"endpoints" jsonb NOT NULL,
	"latency" jsonb NOT NULL,
	"busiest_minute" integer NOT NULL,
	CONSTRAINT "traffic_hours_client_id_hour_pk" PRIMARY KEY("client_id","hour")
);
--> statement-breakpoint
CREATE TABLE "crime_types" (
	"name" text PRIMARY KEY NOT NULL,
	"difficulty" integer NOT NULL,
	"last_seen" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "factions" (
	"id" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"leader_id" integer,
	"co_leader_id" integer,
	"last_refresh" timestamp with time zone,
	"members_refreshed" timestamp with time zone,
	"last_attempt" timestamp with time zone,
	"positions_attempt" timestamp with time zone,
	"attacks_attempt" timestamp with time zone,
	"crimes_attempt" timestamp with time zone,
	"positions_refreshed" timestamp with time zone,
	"attacks_seen" timestamp with time zone,
	"crimes_migrated" boolean DEFAULT true NOT NULL,
	"chat_server_id" bigint,
	"events_channel_id" bigint,
	"events_shown" text[] DEFAULT '{}' NOT NULL,
	"stat_sharing" text DEFAULT 'faction' NOT NULL,
	"stat_sharing_chosen" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "players" (
	"id" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"level" integer,
	"signed_up" timestamp with time zone,
	"faction_id" integer,
	"faction_seen" timestamp with time zone,
	"faction_since" timestamp with time zone,
	"position_name" text,
	"position_since" timestamp with time zone,
	"chat_id" bigint,
	"status" text,
	"federal_until" timestamp with time zone,
	"last_action" timestamp with time zone,
	"last_refresh" timestamp with time zone,
	"last_attempt" timestamp with time zone,
	"faction_api_access" boolean DEFAULT false NOT NULL,
	CONSTRAINT "players_chatId_unique" UNIQUE("chat_id")
);
--> statement-breakpoint
CREATE TABLE "battle_stats" (
	"player_id" integer PRIMARY KEY NOT NULL,
	"strength" bigint NOT NULL,
	"defense" bigint NOT NULL,
	"speed" bigint NOT NULL,
	"dexterity" bigint NOT NULL,
	"score" double precision NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "estimate_models" (
	"id" uuid PRIMARY KEY NOT NULL,
	"trained_at" timestamp with time zone NOT NULL,
	"in_force" boolean NOT NULL,
	"model" jsonb NOT NULL,
	"card" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "personal_stats" (
	"player_id" integer NOT NULL,
	"day" date NOT NULL,
	"counters" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "personal_stats_player_id_day_pk" PRIMARY KEY("player_id","day")
);
--> statement-breakpoint
CREATE TABLE "stat_entries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"visible_to" integer NOT NULL,
	"player_id" integer NOT NULL,
	"score" double precision NOT NULL,
	"time_added" timestamp with time zone NOT NULL,
	"sigma" real NOT NULL,
	"fair_fight" real,
	"lower_bound" boolean DEFAULT false NOT NULL,
	"source" text NOT NULL,
	"attack_code" text,
	"contributor_id" integer,
	CONSTRAINT "stat_entries_attack" UNIQUE("attack_code","player_id")
);
--> statement-breakpoint
CREATE TABLE "stat_estimates" (
	"player_id" integer PRIMARY KEY NOT NULL,
	"score" double precision NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"stats_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stat_latest" (
	"visible_to" integer NOT NULL,
	"player_id" integer NOT NULL,
	"score" double precision NOT NULL,
	"time_added" timestamp with time zone NOT NULL,
	"level" integer NOT NULL,
	"draw" real NOT NULL,
	"cell" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "stat_latest_visible_to_player_id_pk" PRIMARY KEY("visible_to","player_id")
);
--> statement-breakpoint
CREATE TABLE "items" (
	"id" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"market_price" bigint,
	"last_seen" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stock_ticks" (
	"stock_id" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"price" double precision NOT NULL,
	CONSTRAINT "stock_ticks_stock_id_at_pk" PRIMARY KEY("stock_id","at")
);
--> statement-breakpoint
CREATE TABLE "stocks" (
	"id" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"acronym" text NOT NULL,
	"passive" boolean NOT NULL,
	"frequency" integer,
	"requirement" bigint NOT NULL,
	"description" text NOT NULL,
	"missing_since" timestamp with time zone,
	"history_asked_at" timestamp with time zone,
	"at" timestamp with time zone NOT NULL,
	"price" double precision NOT NULL,
	"market_cap" bigint NOT NULL,
	"shares" bigint NOT NULL,
	"investors" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"message_id" text NOT NULL,
	"seq" bigint,
	"player_id" integer,
	"type" text NOT NULL,
	"attempt" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"outcome" text NOT NULL,
	"status" integer,
	"failure" text,
	"phases" jsonb,
	"excerpt" text,
	"next_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"message_id" text NOT NULL,
	"seq" bigint NOT NULL,
	"gap_after" bigint,
	"player_id" integer,
	"type" text NOT NULL,
	"body" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"first_attempt_at" timestamp with time zone,
	"next_at" timestamp with time zone NOT NULL,
	"lease" integer DEFAULT 0 NOT NULL,
	"lease_until" timestamp with time zone,
	"requests" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" text,
	"account_id" uuid,
	"url" text NOT NULL,
	"url_by" uuid,
	"secret_by" uuid,
	"description" text NOT NULL,
	"types" text[] NOT NULL,
	"version" text NOT NULL,
	"secret" text NOT NULL,
	"secret_since" timestamp with time zone NOT NULL,
	"previous_secret" text,
	"previous_until" timestamp with time zone,
	"state" text NOT NULL,
	"reason" text,
	"state_since" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"verified_at" timestamp with time zone,
	"seq" bigint NOT NULL,
	"waiting" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"first_failure_at" timestamp with time zone,
	"last_failure_at" timestamp with time zone,
	"notice" text,
	"last_success_at" timestamp with time zone,
	"failed_types" text[] DEFAULT '{}' NOT NULL,
	"probe_at" timestamp with time zone,
	"pace_ms" integer,
	"paced" integer DEFAULT 0 NOT NULL,
	"paced_until" timestamp with time zone,
	"slow" boolean DEFAULT false NOT NULL,
	"generation" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "webhook_endpoints_owner" CHECK (num_nonnulls("webhook_endpoints"."client_id", "webhook_endpoints"."account_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_player_id_players_id_fk" FOREIGN KEY ("player_id") REFERENCES "players"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_identities" ADD CONSTRAINT "chat_identities_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "game_keys" ADD CONSTRAINT "game_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proofs" ADD CONSTRAINT "proofs_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_factor_guesses" ADD CONSTRAINT "second_factor_guesses_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_server_factions" ADD CONSTRAINT "chat_server_factions_server_id_chat_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "chat_servers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consent_periods" ADD CONSTRAINT "consent_periods_consent_id_consents_id_fk" FOREIGN KEY ("consent_id") REFERENCES "consents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "faction_access" ADD CONSTRAINT "faction_access_decided_by_accounts_id_fk" FOREIGN KEY ("decided_by") REFERENCES "accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_grant_id_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_domains" ADD CONSTRAINT "application_domains_client_id_applications_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "applications"("client_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_members" ADD CONSTRAINT "application_members_client_id_applications_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "applications"("client_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_members" ADD CONSTRAINT "application_members_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_reports" ADD CONSTRAINT "application_reports_client_id_applications_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "applications"("client_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_reports" ADD CONSTRAINT "application_reports_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_secrets" ADD CONSTRAINT "application_secrets_client_id_applications_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "applications"("client_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_secrets" ADD CONSTRAINT "application_secrets_created_by_accounts_id_fk" FOREIGN KEY ("created_by") REFERENCES "accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_testers" ADD CONSTRAINT "application_testers_client_id_applications_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "applications"("client_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_testers" ADD CONSTRAINT "application_testers_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "applications" ADD CONSTRAINT "applications_owner_id_accounts_id_fk" FOREIGN KEY ("owner_id") REFERENCES "accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_grant_id_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorization_requests" ADD CONSTRAINT "authorization_requests_client_id_applications_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "applications"("client_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorization_requests" ADD CONSTRAINT "authorization_requests_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_client_id_applications_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "applications"("client_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_consent_id_consents_id_fk" FOREIGN KEY ("consent_id") REFERENCES "consents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_grant_id_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verification_requests" ADD CONSTRAINT "verification_requests_client_id_applications_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "applications"("client_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_client_id_applications_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "applications"("client_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_url_by_accounts_id_fk" FOREIGN KEY ("url_by") REFERENCES "accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_secret_by_accounts_id_fk" FOREIGN KEY ("secret_by") REFERENCES "accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accounts_created" ON "accounts" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "accounts_banned" ON "accounts" USING btree ("created_at","id") WHERE "accounts"."banned_at" is not null;--> statement-breakpoint
CREATE INDEX "accounts_lenders" ON "accounts" USING btree ("id") WHERE "accounts"."lends_key";--> statement-breakpoint
CREATE INDEX "accounts_sharers" ON "accounts" USING btree ("attacks_attempt" NULLS FIRST,"id") WHERE "accounts"."shares_opponent_stats";--> statement-breakpoint
CREATE INDEX "game_keys_account" ON "game_keys" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "game_keys_player" ON "game_keys" USING btree ("player_id");--> statement-breakpoint
CREATE INDEX "game_keys_due" ON "game_keys" USING btree ("owner_attempt","player_id") WHERE "game_keys"."state" = 'active';--> statement-breakpoint
CREATE INDEX "notices_account" ON "notices" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "passkeys_account" ON "passkeys" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "proofs_account" ON "proofs" USING btree ("account_id","kind");--> statement-breakpoint
CREATE INDEX "proofs_expiry" ON "proofs" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_account" ON "sessions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "chat_messages_due" ON "chat_messages" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "chat_messages_age" ON "chat_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "chat_messages_letters" ON "chat_messages" USING btree ("created_at") WHERE "chat_messages"."recipient_id" is not null;--> statement-breakpoint
CREATE INDEX "chat_messages_given_up" ON "chat_messages" USING btree ("created_at") WHERE "chat_messages"."due_at" is null and "chat_messages"."delivered" < "chat_messages"."version";--> statement-breakpoint
CREATE INDEX "chat_servers_admins" ON "chat_servers" USING gin ("admin_ids");--> statement-breakpoint
CREATE INDEX "consent_periods_consent" ON "consent_periods" USING btree ("consent_id","began");--> statement-breakpoint
CREATE INDEX "consent_periods_ended" ON "consent_periods" USING btree ("ended") WHERE "consent_periods"."ended" is not null;--> statement-breakpoint
CREATE INDEX "faction_access_decided_by" ON "faction_access" USING btree ("decided_by");--> statement-breakpoint
CREATE INDEX "organized_crime_delays_faction" ON "organized_crime_delays" USING btree ("faction_id","crime_id","seen_at","slot","player_id","position","position_index","reason");--> statement-breakpoint
CREATE INDEX "organized_crimes_faction" ON "organized_crimes" USING btree ("faction_id","id");--> statement-breakpoint
CREATE INDEX "organized_crimes_age" ON "organized_crimes" USING btree ("last_seen");--> statement-breakpoint
CREATE INDEX "retaliations_open" ON "retaliations" USING btree ("attack_ended") WHERE "retaliations"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "retaliations_faction" ON "retaliations" USING btree ("faction_id","attack_ended");--> statement-breakpoint
CREATE INDEX "retaliations_age" ON "retaliations" USING btree ("attack_ended");--> statement-breakpoint
CREATE INDEX "vault_readings_age" ON "vault_readings" USING btree ("read_at");--> statement-breakpoint
CREATE INDEX "vault_requests_faction" ON "vault_requests" USING btree ("faction_id","requested_at","id");--> statement-breakpoint
CREATE INDEX "vault_requests_player" ON "vault_requests" USING btree ("player_id","requested_at","id");--> statement-breakpoint
CREATE INDEX "vault_requests_ledger" ON "vault_requests" USING btree ("faction_id","closed_at","id") WHERE "vault_requests"."closed_at" is not null;--> statement-breakpoint
CREATE INDEX "vault_requests_expiry" ON "vault_requests" USING btree ("expires_at") WHERE "vault_requests"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "vault_requests_claims" ON "vault_requests" USING btree ("claimed_until") WHERE "vault_requests"."status" = 'pending' and "vault_requests"."claimed_until" is not null;--> statement-breakpoint
CREATE INDEX "vault_requests_unproved" ON "vault_requests" USING btree ("closed_at") WHERE "vault_requests"."verification" = 'waiting';--> statement-breakpoint
CREATE INDEX "access_tokens_grant" ON "access_tokens" USING btree ("grant_id","issued_at");--> statement-breakpoint
CREATE INDEX "access_tokens_expiry" ON "access_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "application_domains_due" ON "application_domains" USING btree ("check_at") WHERE "application_domains"."check_at" is not null;--> statement-breakpoint
CREATE INDEX "application_members_account" ON "application_members" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "application_reports_open" ON "application_reports" USING btree ("client_id","account_id") WHERE "application_reports"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "application_reports_account" ON "application_reports" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "application_reports_age" ON "application_reports" USING btree ("reported_at");--> statement-breakpoint
CREATE INDEX "application_secrets_client" ON "application_secrets" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "application_testers_account" ON "application_testers" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "applications_owner" ON "applications" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "authorization_codes_grant" ON "authorization_codes" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "authorization_codes_expiry" ON "authorization_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "authorization_requests_expiry" ON "authorization_requests" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "consents_live" ON "consents" USING btree ("account_id","client_id") WHERE "consents"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "consents_client" ON "consents" USING btree ("client_id","revoked_at","until");--> statement-breakpoint
CREATE INDEX "consents_until" ON "consents" USING btree ("until") WHERE "consents"."until" is not null;--> statement-breakpoint
CREATE INDEX "consents_account" ON "consents" USING btree ("account_id","client_id");--> statement-breakpoint
CREATE INDEX "grants_consent" ON "grants" USING btree ("consent_id");--> statement-breakpoint
CREATE INDEX "grants_end" ON "grants" USING btree (("absolute_expiry" at time zone 'UTC'));--> statement-breakpoint
CREATE INDEX "grants_client" ON "grants" USING btree ("client_id","created_at","id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_grant" ON "refresh_tokens" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_expiry" ON "refresh_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "verification_requests_open" ON "verification_requests" USING btree ("requested_at") WHERE "verification_requests"."outcome" is null;--> statement-breakpoint
CREATE INDEX "audit_log_id" ON "audit_log" USING btree ("id");--> statement-breakpoint
CREATE INDEX "audit_log_account" ON "audit_log" USING btree ("account_id","at");--> statement-breakpoint
CREATE INDEX "audit_log_client" ON "audit_log" USING btree ("client_id","at");--> statement-breakpoint
CREATE INDEX "audit_log_act" ON "audit_log" USING btree ("act","id") WHERE act <> 'token.refreshed';--> statement-breakpoint
CREATE INDEX "audit_log_request" ON "audit_log" USING btree ("request_id") WHERE act <> 'token.refreshed';--> statement-breakpoint
CREATE INDEX "audit_log_address" ON "audit_log" USING btree ("address","id") WHERE act <> 'token.refreshed';--> statement-breakpoint
CREATE INDEX "audit_log_words" ON "audit_log" USING gin (to_tsvector('simple', translate("details"::text, './:-_@?=&#+', '           '))) WHERE act <> 'token.refreshed';--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING brin ("at") WITH (autosummarize=true);--> statement-breakpoint
CREATE INDEX "idempotency_records_created" ON "idempotency_records" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "job_runs_job" ON "job_runs" USING btree ("job","slot");--> statement-breakpoint
CREATE INDEX "job_runs_open" ON "job_runs" USING btree ("job") WHERE "job_runs"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "request_log_client" ON "request_log" USING btree ("client_id","at");--> statement-breakpoint
CREATE INDEX "request_log_pages" ON "request_log" USING brin ("at","account_id" uuid_bloom_ops(n_distinct_per_range=1200)) WITH (pages_per_range=16,autosummarize=true);--> statement-breakpoint
CREATE INDEX "request_log_failed" ON "request_log" USING btree ("client_id","at","id") WHERE "request_log"."status" >= 400 and "request_log"."client_id" is not null;--> statement-breakpoint
CREATE INDEX "traffic_hours_hour" ON "traffic_hours" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "players_faction" ON "players" USING btree ("faction_id","id");--> statement-breakpoint
CREATE INDEX "players_readers" ON "players" USING btree ("faction_id") WHERE "players"."faction_api_access";--> statement-breakpoint
CREATE INDEX "players_stalest" ON "players" USING btree ("last_refresh");--> statement-breakpoint
CREATE INDEX "players_name" ON "players" USING btree (lower("name") collate "C","id");--> statement-breakpoint
CREATE INDEX "players_untried" ON "players" USING btree ("last_attempt" NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "personal_stats_day" ON "personal_stats" USING btree ("day");--> statement-breakpoint
CREATE INDEX "stat_entries_newest" ON "stat_entries" USING btree ("player_id","visible_to","time_added");--> statement-breakpoint
CREATE INDEX "stat_entries_time" ON "stat_entries" USING btree ("time_added");--> statement-breakpoint
CREATE INDEX "stat_entries_contributor" ON "stat_entries" USING btree ("contributor_id");--> statement-breakpoint
CREATE INDEX "stat_entries_public" ON "stat_entries" USING btree ("time_added","id","player_id") WHERE "stat_entries"."visible_to" = 0 and "stat_entries"."source" = 'fight';--> statement-breakpoint
CREATE INDEX "stat_latest_random" ON "stat_latest" USING btree ("visible_to","cell","draw","player_id","score","level","time_added");--> statement-breakpoint
CREATE INDEX "stat_latest_recent" ON "stat_latest" USING btree ("visible_to","cell","time_added","player_id","score","level","draw");--> statement-breakpoint
CREATE INDEX "stat_latest_level" ON "stat_latest" USING btree ("visible_to","level","score","player_id","time_added","draw");--> statement-breakpoint
CREATE INDEX "stat_latest_player" ON "stat_latest" USING btree ("player_id");--> statement-breakpoint
CREATE INDEX "webhook_attempts_endpoint" ON "webhook_attempts" USING btree ("endpoint_id","id");--> statement-breakpoint
CREATE INDEX "webhook_attempts_message" ON "webhook_attempts" USING btree ("endpoint_id","message_id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_message" ON "webhook_deliveries" USING btree ("endpoint_id","message_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_order" ON "webhook_deliveries" USING btree ("endpoint_id","next_at","seq","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_leased" ON "webhook_deliveries" USING btree ("lease_until") WHERE "webhook_deliveries"."lease_until" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_endpoints_account" ON "webhook_endpoints" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_client" ON "webhook_endpoints" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_due" ON "webhook_endpoints" USING btree ("due_at") WHERE "webhook_endpoints"."state" = 'enabled';--> statement-breakpoint
CREATE INDEX "webhook_endpoints_failing" ON "webhook_endpoints" USING btree ("first_failure_at") WHERE "webhook_endpoints"."state" = 'enabled';