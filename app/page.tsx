import { Audiences, ConsentSample, FirstCall } from "./_home/sections";
import { currentViewer } from "./_lib/current-user";
import { gameName, pageSettings } from "./_lib/settings";
import { KeyUseCard } from "./_parts/key-use";
import { SiteFrame } from "./_parts/page-frames";
import { LinkButton } from "./_ui/text-link";

export default async function Home() {
  const { baseUrl } = pageSettings();
  const viewer = await currentViewer();
  return (
    <SiteFrame bare>
      <section className="mx-auto grid max-w-page items-center gap-x-16 gap-y-12 px-4 pt-12 pb-16 sm:px-6 sm:pt-20 sm:pb-24 lg:grid-cols-[minmax(0,11fr)_minmax(0,10fr)]">
        <div>
          <h1 className="text-3xl font-semibold tracking-[-0.028em] sm:text-4xl">
            Lend your name. Keep your key.
          </h1>
          <p className="mt-5 max-w-120 text-lg text-ink-soft">
            Tools for {gameName()} want to know who you are and act for you. With Adjutant they ask,
            you read in plain words what for, and they get exactly what you allow. Never your API
            key.
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            {viewer ? (
              <LinkButton href="/start" variant="primary" size="lg">
                Continue as <bdi>{viewer.name}</bdi>
              </LinkButton>
            ) : (
              <LinkButton href="/sign-in" variant="primary" size="lg">
                Sign in with your {gameName()} API key
              </LinkButton>
            )}
            <LinkButton href="/docs" size="lg">
              Read the docs
            </LinkButton>
          </div>
          <p className="mt-6 text-sm text-ink-faint">
            Open source. Runs on your own machine with one command, on invented players.
          </p>
        </div>
        <ConsentSample />
      </section>
      <Audiences />
      <FirstCall baseUrl={baseUrl} />
      <div className="mx-auto max-w-page px-4 pb-20 sm:px-6">
        <KeyUseCard />
      </div>
    </SiteFrame>
  );
}
