import { getOrganizedCrimeNames } from "./faction/crimes/endpoints/get-organized-crime-names";
import { getFactionMembers } from "./faction/endpoints/get-faction-members";
import type { Endpoint } from "./rest/endpoint";
import { getSpecificUser } from "./users/endpoints/get-specific-user";
import { getUser } from "./users/endpoints/get-user";

/** Stands before the path of every endpoint. */
export const apiPrefix = "/api/v1";

/** Every endpoint of the API, in reading order. What is not in this list does not exist. */
export const routes: readonly Endpoint[] = [
  getOrganizedCrimeNames,
  getFactionMembers,

  getUser,
  getSpecificUser,
];

/** The sections of the reference, in reading order. */
export const tags = [
  { name: "Faction", description: "Members, organized crimes and banking of factions." },
  { name: "Users", description: "Players, as last seen in the game." },
] as const;
