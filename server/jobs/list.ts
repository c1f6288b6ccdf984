import { refreshCrimeTypes } from "#server/faction/crimes/jobs/refresh-crime-types";
import { refreshMembers } from "#server/faction/jobs/refresh-members";
import { sweepExpired } from "#server/sweeper/jobs/sweep-expired";
import { refreshUsers } from "#server/users/jobs/refresh-users";
import { retestKeys } from "#server/users/jobs/retest-keys";
import type { Job } from "./job";

/** Every job, in reading order. */
export const jobs: readonly Job[] = [refreshUsers, refreshMembers, refreshCrimeTypes, retestKeys, sweepExpired];
