import { UserPlus } from "lucide-react";
import type { ReactNode } from "react";
import { caller } from "#app/_lib/caller";
import { applicationMetadata, requireApplication, requireUser } from "#app/_lib/current-user";
import { formatCount } from "#app/_lib/format";
import { type PageProps, readParams } from "#app/_lib/search-params";
import { ConfirmButton } from "#app/_parts/confirm-button.tsx";
import { ActButton, CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { PlayerLink } from "#app/_parts/player-link.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { DataTable, TableCard } from "#app/_ui/data-table.tsx";
import { InputField, SelectField } from "#app/_ui/field.tsx";
import { AcceptOrDecline } from "#app/(portal)/developers/_parts/invitations.tsx";
import {
  type MemberRole,
  mayDo,
  memberRoles,
  mostMembers,
  mostTestPlayers,
} from "#server/oauth/clients/team/rights";
import type { RouterOutputs } from "#server/portal/router";

type Team = RouterOutputs["team"]["show"];
type Member = Team["members"][number];

export const generateMetadata = applicationMetadata("Team of");

export default async function TeamPage({ params, searchParams }: PageProps<"clientId">) {
  const { clientId, name, role, openedAt } = await requireApplication(await params);
  const { playerId: reader } = await requireUser();
  const team = await (await caller()).team.show({ clientId });
  const action = `/developers/apps/${clientId}/team/act`;
  const own = team.members.find(({ playerId }) => playerId === reader);
  const offered = team.members.find(({ offeredAt }) => offeredAt);
  const typed = await readParams(searchParams, ["error", "player", "tester", "role"]);
  return (
    <>
      <FormNotice
        searchParams={searchParams}
        done={done}
        wrong={{ player: "Not invited.", tester: "Not added." }}
      />
      {own?.offeredAt && (
        <Alert tone="neutral" title={`${team.owner.name} offers you this application`}>
          <p>
            As owner of <bdi>{name}</bdi> you answer for what it does. Players get a notice with
            your name.
          </p>
          <AcceptOrDecline action={action} accept="accept" decline="withdraw" />
        </Alert>
      )}
      {role === "owner" && offered && (
        <Alert tone="neutral" title={`Offered to ${offered.name}`}>
          <p>You stay the owner until they accept.</p>
          <div className="mt-3">
            <ActButton action={action} fields={{ act: "withdraw" }}>
              Withdraw the offer
            </ActButton>
          </div>
        </Alert>
      )}
      <Card
        title="Team"
        description="Players see the owner and the team when the application asks for access."
        flush
        footer={
          own && (
            <ConfirmButton
              label="Leave the team"
              action={action}
              fields={{ act: "leave" }}
              consequences={leaving(own.role)}
            />
          )
        }
      >
        <Members team={team} action={action} />
      </Card>
      {role === "owner" && <Invite action={action} typed={typed} count={team.members.length} />}
      {!openedAt && mayDo(role, "settings") && (
        <TestPlayers clientId={clientId} action={action} typed={typed} />
      )}
      <Card title="Roles">
        <dl className="grid gap-2 text-sm">
          {Object.entries(roleWords).map(([each, words]) => (
            <div key={each}>
              <dt className="font-medium">{titleOf(each)}</dt>
              <dd className="text-ink-soft">{words}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </>
  );
}

/** Keyed by act. */
const done = {
  invite: "Invited. They get a notice and can accept it under Applications.",
  join: "You joined the team.",
  role: "Role changed.",
  remove: "Removed. What they could do has ended.",
  offer: "Offered.",
  withdraw: "The offer is withdrawn.",
  "add-tester": "Added. They get a notice, and can approve it from now on.",
  "remove-tester": "Removed. Access that they gave it has ended.",
  accept: "You are the owner now. Replace secrets that the former owner has seen.",
};

const roleWords = {
  owner: "Everything, including team, transfer, opening to players and deletion.",
  developer: "Settings, secrets, webhooks, requests and tokens.",
  viewer: "Figures and failures.",
};

const titleOf = (role: string) => role.charAt(0).toUpperCase() + role.slice(1);

/** A former developer has seen secrets and chosen webhook addresses. */
const endOfAccess = "Secrets they created end at once, and webhook endpoints they set are paused.";

const leaving = (role: MemberRole) =>
  role === "viewer"
    ? "You lose access at once. Only a new invitation brings you back."
    : "You lose access at once. Secrets you created end, and webhook endpoints you set are paused.";

function Members({ team, action }: { team: Team; action: string }) {
  const owner = { ...team.owner, role: "owner" as const, member: null };
  const rows = [owner, ...team.members.map((member) => ({ ...member, member }))];
  return (
    <DataTable
      caption="Team"
      rows={rows}
      rowKey={({ playerId }) => playerId}
      columns={[
        {
          header: "Player",
          primary: true,
          cell: (row) => (
            <span className="wrap-anywhere">
              <PlayerLink {...row} />
            </span>
          ),
        },
        {
          header: "Role",
          nowrap: true,
          cell: ({ role, member }) => (
            <span className="inline-flex flex-wrap gap-2">
              {titleOf(role)}
              {member && !member.joinedAt && <Badge tone="warn">Invited</Badge>}
            </span>
          ),
        },
        {
          header: "Since",
          at: ({ member }) => member && (member.joinedAt ?? member.invitedAt),
          never: "–",
        },
        ...(team.role === "owner"
          ? [
              {
                header: "Change",
                actions: true,
                cell: ({ member }: (typeof rows)[number]) =>
                  member && <MemberActs member={member} action={action} />,
              },
            ]
          : []),
      ]}
    />
  );
}

function MemberActs({ member, action }: { member: Member; action: string }) {
  const { playerId, name, role, joinedAt } = member;
  const fields = { player_id: String(playerId) };
  const other = role === "developer" ? "viewer" : "developer";
  const loses = joinedAt !== null && role === "developer";
  return (
    <span className="flex flex-wrap justify-end gap-2">
      <ConfirmButton
        label={`Make ${other}`}
        what={name}
        tone={loses ? "danger" : "plain"}
        action={action}
        fields={{ ...fields, act: "role", role: other }}
        consequences={`${roleWords[other]}${loses ? ` ${endOfAccess}` : ""}`}
      />
      {joinedAt && (
        <ConfirmButton
          label="Transfer to"
          what={name}
          action={action}
          fields={{ ...fields, act: "offer" }}
          consequences="Once they accept, they own the application and you stay as developer. Players get a notice and are asked once more. A verification ends."
        />
      )}
      <ConfirmButton
        label={joinedAt ? "Remove" : "Withdraw"}
        what={name}
        action={action}
        fields={{ ...fields, act: "remove" }}
        consequences={
          loses
            ? `They lose access at once. ${endOfAccess}`
            : joinedAt
              ? "They lose access at once."
              : "The invitation can no longer be accepted."
        }
      />
    </span>
  );
}

type Typed = Partial<Record<"error" | "player" | "tester" | "role", string>>;
type AddPlayerProps = {
  action: string;
  act: "invite" | "add-tester";
  field: "player" | "tester";
  typed: Typed;
  /** The submit button, and fields before it. */
  children: ReactNode;
};

const AddPlayer = ({ action, act, field, typed, children }: AddPlayerProps) => (
  <CsrfForm action={action} fields={{ act }} className="flex w-full flex-wrap items-end gap-3">
    <InputField
      name={field}
      label="Player name or ID"
      className="min-w-0 flex-1 basis-56"
      error={
        typed.error === field &&
        "No player with this name or ID has signed in here. Ask them to sign in first."
      }
      autoComplete="off"
      maxLength={100}
      defaultValue={typed[field]}
    />
    {children}
  </CsrfForm>
);

function Invite({ action, typed, count }: { action: string; typed: Typed; count: number }) {
  const room = mostMembers - count;
  if (room <= 0)
    return (
      <Card title="Invite a player">
        <p className="text-ink-soft">
          A team has at most {mostMembers} members, invitations included.
        </p>
      </Card>
    );
  return (
    <Card
      title="Invite a player"
      description={`Room for ${formatCount(room, "more member")}. They have no access until they accept.`}
    >
      <AddPlayer action={action} act="invite" field="player" typed={typed}>
        <SelectField
          name="role"
          label="Role"
          className="basis-40"
          defaultValue={typed.role ?? "developer"}
          options={memberRoles.map((each) => ({ value: each, label: titleOf(each) }))}
        />
        <Button type="submit" variant="primary">
          <UserPlus className="size-4" />
          Invite
        </Button>
      </AddPlayer>
    </Card>
  );
}

type TestPlayersProps = { clientId: string; action: string; typed: Typed };

async function TestPlayers({ clientId, action, typed }: TestPlayersProps) {
  const testers = await (await caller()).team.testPlayers({ clientId });
  const room = mostTestPlayers - testers.length;
  return (
    <TableCard
      title="Test players"
      description={`Until it opens to players, only the team and these players can approve it. ${
        room > 0
          ? `Room for ${formatCount(room, "more player")}.`
          : "The list is full: remove a player to add another."
      }`}
      footer={
        room > 0 && (
          <AddPlayer action={action} act="add-tester" field="tester" typed={typed}>
            <Button type="submit">
              <UserPlus className="size-4" />
              Add test player
            </Button>
          </AddPlayer>
        )
      }
      rows={testers}
      rowKey={({ playerId }) => playerId}
      empty={<p className="px-4 py-3 text-ink-soft sm:px-5">No test players yet.</p>}
      columns={[
        {
          header: "Player",
          primary: true,
          cell: (player) => (
            <span className="wrap-anywhere">
              <PlayerLink {...player} />
            </span>
          ),
        },
        { header: "Added", at: ({ addedAt }) => addedAt },
        {
          header: "Change",
          actions: true,
          cell: ({ playerId, name }) => (
            <ConfirmButton
              label="Remove"
              what={name}
              action={action}
              fields={{ act: "remove-tester", player_id: String(playerId) }}
              consequences="They can no longer approve it, and access that they gave it ends at once."
            />
          ),
        },
      ]}
    />
  );
}
