import type { Standing } from "../positions/standing";

/** Whether somebody may say for the faction which chat server is its own. */
export const mayNameServer = ({ factionId, leader, factionApiAccess }: Standing): boolean =>
  factionId !== null && (leader || factionApiAccess);
