CREATE TABLE "traffic_hours" (
	"client_id" text NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"endpoints" jsonb NOT NULL,
	"latency" jsonb NOT NULL,
	"busiest_minute" integer NOT NULL,
	CONSTRAINT "traffic_hours_client_id_hour_pk" PRIMARY KEY("client_id","hour")
);
--> statement-breakpoint
CREATE INDEX "traffic_hours_hour" ON "traffic_hours" USING btree ("hour");