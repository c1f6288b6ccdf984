import { Blocks, Lock } from "lucide-react";
import { playerCaller } from "#app/_lib/current-user";
import { formatCount, formatNumber } from "#app/_lib/format";
import { readPageRange, readParams, type SearchParams } from "#app/_lib/search-params";
import { ApplicationCheckbox } from "#app/_parts/application-box.tsx";
import { ConfirmButton, SubmitDialog } from "#app/_parts/confirm-button.tsx";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { PageOfPages, ViewLinks } from "#app/_parts/list-controls.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { Checkbox } from "#app/_ui/checkbox.tsx";
import { type Column, TableCard } from "#app/_ui/data-table.tsx";
import { Input } from "#app/_ui/field.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { pathWith } from "#app/_ui/path-with";
import { TextLink } from "#app/_ui/text-link.tsx";
import type { FactionAccess, ListedAccess } from "#server/oauth/faction-access/show-access";
import { NoFaction } from "../_parts/no-faction";
import {
  AccessStatus,
  accessStateOf,
  DoneAlert,
  factionAppsActPath,
  factionAppsPath,
  factionDataInWords,
} from "./_parts/access";

export const metadata = { title: "Apps" };

/** Up to this many apps are shown without a search. */
const fewApps = 5;

type Props = { searchParams: SearchParams };

export default async function FactionApps({ searchParams }: Props) {
  const access = await (await playerCaller()).factionAccess.show();
  if (!access) return <NoFaction title="Apps">the apps that read its data appear here.</NoFaction>;
  const { factionName, shown } = access;
  return (
    <div className="grid max-w-content gap-6">
      <PageHeader
        title="Apps"
        lead={`Applications that members let read the data of ${factionName}.`}
      />
      <DoneAlert searchParams={searchParams} />
      {shown ? (
        <>
          <Applications shown={shown} searchParams={searchParams} />
          <OnlyChosen shown={shown} />
          <Deciders shown={shown} />
        </>
      ) : (
        <Card flush>
          <EmptyState icon={<Lock />} title="For leaders">
            Leaders, and members in a position that they named, see and decide this. Your own apps
            are under <TextLink href="/account/apps">Connected apps</TextLink>.
          </EmptyState>
        </Card>
      )}
    </div>
  );
}

type ShownProps = { shown: NonNullable<FactionAccess["shown"]> };

async function Applications({ shown, searchParams }: ShownProps & Props) {
  const { applications: all, onlyChosen } = shown;
  const { q = "", sort, view } = await readParams(searchParams, ["q", "sort", "view"]);
  const asked = q.trim().toLowerCase();
  const blocked = all.filter((each) => each.blocked);
  const isBlockedView = view === "blocked";
  const matching = (isBlockedView ? blocked : all).filter(({ name }) =>
    name.toLowerCase().includes(asked),
  );
  const query = { q: asked, view: isBlockedView ? view : undefined };
  const part = await readPageRange(searchParams, matching.length);
  const address = (to: number) => pathWith(factionAppsPath, { ...query, sort, page: String(to) });
  if (all.length === 0)
    return (
      <Card flush>
        <EmptyState icon={<Blocks />} title="No application reads your faction's data">
          When a member lets one read it, it appears here, and you can block it.
        </EmptyState>
      </Card>
    );
  return (
    <>
      {(all.length > fewApps || q || isBlockedView) && (
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
          <form
            method="get"
            action={factionAppsPath}
            className="flex min-w-0 flex-1 basis-60 gap-2"
          >
            {isBlockedView && <input type="hidden" name="view" value={view} />}
            <Input
              name="q"
              aria-label="Search by name"
              placeholder="Search by name"
              defaultValue={q}
              maxLength={60}
              autoComplete="off"
            />
            <Button type="submit">Search</Button>
          </form>
          <ViewLinks
            label="Filter"
            views={[
              { label: `All ${all.length}`, href: factionAppsPath, current: !isBlockedView },
              {
                label: `Blocked ${blocked.length}`,
                href: `${factionAppsPath}?view=blocked`,
                current: isBlockedView,
              },
            ]}
          />
        </div>
      )}
      <CsrfForm action={factionAppsActPath}>
        <TableCard
          footer={
            <>
              <div className="flex flex-wrap gap-2">
                <SubmitDialog
                  label="Block selected"
                  title="Block the selected applications?"
                  act="block"
                >
                  Every application that you ticked stops reading your faction's data and gets none
                  of its events, for all members. It may keep data it already has. Members' own data
                  stays open to it. They get a notice.
                </SubmitDialog>
                <SubmitDialog
                  label="Allow selected"
                  title="Allow the selected applications?"
                  act="allow"
                  variant="primary"
                >
                  Every application that you ticked may read what members approve. It gets events
                  from now on, not those that it missed.
                </SubmitDialog>
              </div>
              <PageOfPages {...part} address={address} />
            </>
          }
          caption="Applications that read the faction's data"
          columns={columnsOf(onlyChosen)}
          rows={matching}
          order={{ typed: sort ?? "-members", page: factionAppsPath, query }}
          part={part}
          rowKey={({ clientId }) => clientId}
          empty={<EmptyState title="No application matches" />}
        />
      </CsrfForm>
    </>
  );
}

const columnsOf = (onlyChosen: boolean): readonly Column<ListedAccess>[] => [
  {
    key: "name",
    header: "Application",
    primary: true,
    sortBy: ({ name }) => name,
    cell: (application) => (
      <ApplicationCheckbox
        application={application}
        href={`${factionAppsPath}/${application.clientId}`}
        name="client_id"
        value={application.clientId}
      />
    ),
  },
  {
    key: "state",
    header: "Status",
    sortBy: (application) => accessStateOf(application, onlyChosen),
    cell: (application) => <AccessStatus state={accessStateOf(application, onlyChosen)} />,
  },
  { header: "Data", cell: ({ scopes }) => factionDataInWords(scopes) || "–" },
  {
    key: "members",
    header: "Members",
    numeric: true,
    sortBy: ({ members }) => members,
    cell: ({ members }) => formatNumber(members),
  },
  {
    key: "used",
    header: "Last used",
    at: ({ lastUsed }) => lastUsed,
  },
];

function OnlyChosen({ shown: { applications, onlyChosen } }: ShownProps) {
  const cut = applications.filter(({ blocked, decision }) => !blocked && !decision);
  const freed = applications.filter(({ blocked, decision }) => blocked && !decision);
  return (
    <Card
      title="Only applications that you choose"
      description={
        onlyChosen
          ? "On: an application reads your faction's data only if it was allowed here by name."
          : "Off: every application that was not blocked reads what members approve."
      }
      footer={
        onlyChosen ? (
          <ConfirmButton
            label="Allow all that are not blocked"
            tone="plain"
            action={factionAppsActPath}
            fields={{ act: "unlimit" }}
            consequences={
              freed.length === 0
                ? "Applications that members connect from now on read what they approve. Blocked ones stay blocked."
                : `${formatCount(freed.length, "application reads", "applications read")} your faction's data again: ${nameSome(freed)}. Blocked ones stay blocked.`
            }
          />
        ) : (
          <ConfirmButton
            label="Allow only chosen"
            action={factionAppsActPath}
            fields={{ act: "limit" }}
            consequences={
              cut.length === 0
                ? "Applications that members connect from now on read nothing of your faction until they are allowed here."
                : `${formatCount(cut.length, "application was", "applications were")} not allowed by name and ${cut.length === 1 ? "loses" : "lose"} your faction's data at once, for all members: ${nameSome(cut)}. To keep some, allow them first.`
            }
          />
        )
      }
    />
  );
}

const mostNamed = 5;

function nameSome(applications: readonly ListedAccess[]): string {
  const names = applications.slice(0, mostNamed).map(({ name }) => name);
  const rest = applications.length - names.length;
  return rest > 0 ? `${names.join(", ")} and ${formatNumber(rest)} more` : names.join(", ");
}

/** Leaders choose the positions; other members only see them. */
function Deciders({ shown: { positions, mayName } }: ShownProps) {
  const title = "Who decides";
  const named = positions.filter(({ decides }) => decides).map(({ name }) => name);
  if (!mayName)
    return (
      <Card
        title={title}
        description={`Leaders, and members in these positions: ${named.join(", ")}. Leaders choose them.`}
      />
    );
  if (positions.length === 0)
    return (
      <Card
        title={title}
        description="Leaders. Other positions can be chosen here once your faction's positions have been read."
      />
    );
  return (
    <Card
      title={title}
      description="Leaders always. Members in the positions that you tick see this page, block and allow, but cannot change who decides."
    >
      <CsrfForm action={factionAppsActPath} fields={{ act: "name" }} className="grid gap-4">
        <fieldset className="grid gap-2 sm:grid-cols-2">
          <legend className="sr-only">Positions that decide</legend>
          {positions.map(({ name, decides }) => (
            <Checkbox
              key={name}
              name="position"
              value={name}
              label={name}
              defaultChecked={decides}
            />
          ))}
        </fieldset>
        <Button type="submit" className="w-fit">
          Save
        </Button>
      </CsrfForm>
    </Card>
  );
}
