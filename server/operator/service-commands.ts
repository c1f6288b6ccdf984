import path from "node:path";
import { z } from "zod";
import { createOperator } from "#server/actor";
import { AuditSearch } from "#server/admin/contract";
import { AuditEventId, auditedActs } from "#server/audit/audit";
import { exportAuditLog } from "#server/audit/read-events";
import { makeBackup } from "#server/backup/make-backup";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import { readJobsHealth } from "#server/jobs/jobs-health";
import { jobs } from "#server/jobs/list";
import { runJobNow } from "#server/jobs/runner";
import { countNeedsOfPreviousSecret } from "#server/server-secret/server-secret";
import { defineCommand } from "./command";

const job = z.string({ error: "name the job; the command jobs lists them." }).describe("its name");
const instance = z
  .uuid({ error: "name the instance by its id; the command instances lists them." })
  .describe("its id, which its /health/ready says too");
const folder = z
  .string({ error: "name the folder below which the backup is written." })
  .refine(path.isAbsolute, "give the whole path of the folder.")
  .describe("where to write it; the whole path");

const act = z.enum(auditedActs, { error: "there is no such act." });

const written = (counts: object | null) =>
  Object.entries(counts ?? {})
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");

export const serviceCommands = [
  defineCommand({
    name: "jobs",
    words: "Lists the jobs: how each stands, when it last ran and what came of it.",
    takes: [],
    input: z.object({}),
    run: async (ctx) => {
      const found = await readJobsHealth(ctx);
      const lines = found.map(({ name, status, lastSlot, lastOutcome, counts }) =>
        [
          name.padEnd(26),
          status.padEnd(8),
          lastSlot?.toISOString() ?? "never",
          lastOutcome ?? "",
          written(counts),
        ]
          .join(" ")
          .trimEnd(),
      );
      return { lines, record: found };
    },
  }),
  defineCommand({
    name: "run-job",
    words: "Runs a job at once, beside its slots, and says what came of it.",
    takes: ["job"],
    input: z.object({ job }),
    run: async (ctx, { job: name }) => {
      const found = jobs.find((each) => each.name === name);
      if (!found)
        throw GeneralError.because({
          message: `There is no job ${name}. The command jobs lists them.`,
        });
      await ctx.audit(ctx.database.query, createOperator(ctx), "job.run", { details: { name } });
      const run = await runJobNow(ctx, found);
      if (!run)
        throw GeneralError.because({
          message: `The job ${name} is running already. Try again when it is done.`,
        });
      const failed = run.outcome !== "done";
      const line = failed
        ? `${name} failed; the log says why.`
        : `${name} is done. ${written(run.counts)}`.trimEnd();
      return { lines: [line], record: run, no: failed };
    },
  }),
  defineCommand({
    name: "instances",
    words: "Lists the processes that serve this database.",
    takes: [],
    input: z.object({}),
    run: async (ctx) => {
      const found = await ctx.presence.list();
      const lines = found.map(({ id, startedAt, lastSeen }) => {
        const [since, seen] = [startedAt, lastSeen].map((at) => at.toISOString());
        return `${id} since ${since}, last seen ${seen}`;
      });
      return {
        lines: lines.length > 0 ? lines : ["No process serves this database."],
        record: found,
      };
    },
  }),
  defineCommand({
    name: "drain",
    words:
      "Tells a process to end as SIGTERM does: it answers what is under way, and takes nothing new.",
    takes: ["instance"],
    input: z.object({ instance }),
    warns: async (_ctx, input) => `The process ${input.instance} would end.`,
    run: async (ctx, { instance: id }) => {
      if (!(await ctx.presence.list()).some((each) => each.id === id))
        throw GeneralError.because({ message: `No process ${id} serves this database.` });
      const details = { instance: id };
      await ctx.audit(ctx.database.query, createOperator(ctx), "instance.ended", { details });
      await ctx.presence.tellToEnd(id);
      return {
        lines: [`${id} was told to end. It is gone when the command instances does not list it.`],
        record: { id },
      };
    },
  }),
  defineCommand({
    name: "previous-secret",
    words: "May SERVER_SECRET_PREVIOUS be taken away? Counts what still needs it.",
    takes: [],
    input: z.object({}),
    run: async (ctx) => {
      const needs = await countNeedsOfPreviousSecret(ctx);
      const may = Object.keys(needs).length === 0;
      const line = may
        ? "The previous server secret may go: nothing needs it."
        : `The previous server secret is still needed: ${Object.entries(needs)
            .map(([name, rows]) => `${rows} ${name}`)
            .join(", ")}.`;
      return { lines: [line], record: { may, needs }, no: !may };
    },
  }),
  defineCommand({
    name: "audit",
    words: "Writes the audit log as JSON, one event a line, the oldest first.",
    takes: [],
    input: z.object({
      after: AuditEventId.transform(BigInt)
        .optional()
        .describe("only events after the one with this id: where the last export ended"),
      since: z.iso
        .datetime({ offset: true, error: "give a time such as 2026-01-31T00:00:00Z." })
        .transform((text) => new Date(text))
        .optional()
        .describe("only events from this time on"),
      act: act.optional().describe("only this act, such as session.opened"),
      search: AuditSearch.shape.search.describe(
        "only events with these words, this request id or this address",
      ),
      player: AuditSearch.shape.account.describe("only events about this player, by number"),
      application: AuditSearch.shape.clientId.describe(
        "only events about this application, by client id",
      ),
    }),
    run: (ctx, { player: account, application: clientId, ...query }) =>
      exportAuditLog(ctx, createOperator(ctx), { ...query, account, clientId }),
  }),
  defineCommand({
    name: "backup",
    words: "Backs the database up, as npm run backup does.",
    takes: ["folder"],
    input: z.object({ folder }),
    run: async (ctx: Context, input) => {
      const made = await makeBackup(ctx, input.folder);
      return { lines: [made], record: { folder: made } };
    },
  }),
];
