ALTER TABLE "applications" ADD COLUMN "opened_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "authorization_requests" ADD COLUMN "sealed_answer" text;--> statement-breakpoint
ALTER TABLE "consents" ADD COLUMN "application_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "consents" ADD COLUMN "redirect_hosts" text[] DEFAULT '{}' NOT NULL;