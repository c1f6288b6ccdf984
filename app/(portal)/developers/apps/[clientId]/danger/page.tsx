import { applicationMetadata, requireApplication } from "#app/_lib/current-user";
import { formatCappedCount } from "#app/_lib/format";
import type { PageProps } from "#app/_lib/search-params";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { ConfirmByNameCard, wrongNameMessages } from "../_parts/confirm-by-name";

export const generateMetadata = applicationMetadata("Delete");

export default async function Danger({ params, searchParams }: PageProps<"clientId">) {
  const { clientId, name, figures } = await requireApplication(await params, "ownership");
  const { users, tokens } = figures;
  return (
    <>
      <FormNotice searchParams={searchParams} done={{}} wrong={wrongNameMessages} />
      <ConfirmByNameCard
        title="Delete this application"
        description="Its tokens stop working at once, and every connected player gets a notice. This cannot be undone."
        players={users}
        tokens={tokens}
        label="Delete application"
        consequences={[
          `${formatCappedCount(users, "player")} will be cut off`,
          `${formatCappedCount(tokens, "live token")} will end at once`,
          "This cannot be undone, and the client ID is never reused",
        ]}
        action={`/developers/apps/${clientId}/danger/delete`}
        name={name}
        searchParams={searchParams}
      />
    </>
  );
}
