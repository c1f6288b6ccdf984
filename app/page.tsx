import { PageShell } from "#ui/page-shell";

export default function Landing() {
  return <PageShell viewer={null}>Adjutant</PageShell>;
}
