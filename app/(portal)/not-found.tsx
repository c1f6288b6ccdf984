import { NoSuchPage } from "#app/_parts/no-such-page.tsx";

export const metadata = { title: "No such page" };

/** The layout already draws the frame. */
export default NoSuchPage;
