import { NoSuchPage } from "#app/_parts/no-such-page.tsx";

export const metadata = { title: "No such page" };

export default function NotFound() {
  return <NoSuchPage />;
}
