import { z } from "zod";
import { EventId } from "#server/audit/audit";
import { memberRoles } from "#server/oauth/clients/team/rights";
import {
  changeRole,
  inviteMember,
  joinTeam,
  leaveTeam,
  listInvitations,
  removeMember,
  showHistory,
  showTeam,
} from "#server/oauth/clients/team/team-acts";
import {
  addTestPlayer,
  listTestPlayers,
  removeTestPlayer,
} from "#server/oauth/clients/team/test-players";
import {
  acceptApplication,
  offerApplication,
  withdrawOffer,
} from "#server/oauth/clients/team/transfer";
import { integer, text } from "#server/platform/input-schemas";
import { confirmedProcedure } from "#server/trpc/confirmed-procedure";
import { calling, router, userProcedure } from "#server/trpc/init";
import { OneApplication } from "./application-views";

const OneMember = OneApplication.extend({ playerId: integer });
const role = z.enum(memberRoles, { error: "Choose a role." });

/** A foreign application looks unknown. */
export const teamRouter = router({
  show: userProcedure.input(OneApplication).query(calling(showTeam)),

  history: userProcedure
    .input(OneApplication.extend({ before: EventId.optional() }))
    .query(calling(showHistory)),

  invitations: userProcedure.query(calling(listInvitations)),

  invite: confirmedProcedure
    .input(OneApplication.extend({ player: text(100), role }))
    .mutation(calling(inviteMember)),

  join: userProcedure.input(OneApplication).mutation(calling(joinTeam)),

  /** Also declines an invitation. */
  leave: userProcedure.input(OneApplication).mutation(calling(leaveTeam)),

  changeRole: confirmedProcedure.input(OneMember.extend({ role })).mutation(calling(changeRole)),

  /** Also withdraws an invitation. */
  remove: confirmedProcedure.input(OneMember).mutation(calling(removeMember)),

  testPlayers: userProcedure.input(OneApplication).query(calling(listTestPlayers)),

  addTestPlayer: confirmedProcedure
    .input(OneApplication.extend({ player: text(100) }))
    .mutation(calling(addTestPlayer)),

  removeTestPlayer: confirmedProcedure.input(OneMember).mutation(calling(removeTestPlayer)),

  offer: confirmedProcedure.input(OneMember).mutation(calling(offerApplication)),

  /** Also declines an offer. */
  withdrawOffer: userProcedure.input(OneApplication).mutation(calling(withdrawOffer)),

  accept: confirmedProcedure.input(OneApplication).mutation(calling(acceptApplication)),
});
