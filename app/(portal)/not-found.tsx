import type { Metadata } from "next";
import { NoSuchPage } from "#parts/no-such-page";

export const metadata: Metadata = { title: "No such page" };

/** In the portal, whose layout has drawn the frame already. */
export default NoSuchPage;
