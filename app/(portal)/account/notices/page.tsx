import { playerCaller } from "#app/_lib/current-user";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { NoticesCard } from "../_parts/notices";

export const metadata = { title: "Notices" };

export default async function NoticesPage({ searchParams }: PageProps) {
  const after = await readParam(searchParams, "after");
  const notices = await (await playerCaller()).account.notices({ after: after ?? null });
  return (
    <>
      <PageHeader
        title="Notices"
        lead={
          <>
            News about your keys, your applications and your account, newest first.{" "}
            <TextLink href="/account/notifications">Get them by chat or webhook</TextLink>
          </>
        }
      />
      <NoticesCard notices={notices} after={after} on="notices" />
    </>
  );
}
